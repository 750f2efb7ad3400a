import { DevflowError } from '../../schemas/errors.ts';
import type { Looks } from './painter.ts';

/** What the terminal can show, by the environment. Throws for one that cannot be painted on. */
export function looksOf(env: NodeJS.ProcessEnv): Looks {
  const { TERM: term = '' } = env;
  if (term === '' || term === 'dumb' || term === 'unknown') {
    const message = `the dashboard cannot be shown on a terminal of type ${term || 'nothing'}`;
    throw new DevflowError('usage', message, {
      recoveryHint: 'Set TERM to what your terminal is (such as xterm-256color), or use the commands: devflow --help.',
    });
  }
  return { colors: colorsOf(env, term), unicode: /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '') };
}

function colorsOf(env: NodeJS.ProcessEnv, term: string): Looks['colors'] {
  if (env.NO_COLOR || /^(vt\d|xterm-mono)/.test(term)) return 0;
  return /256color|direct|kitty|alacritty|ghostty|wezterm|tmux|screen-/.test(term) || env.COLORTERM ? 256 : 8;
}
