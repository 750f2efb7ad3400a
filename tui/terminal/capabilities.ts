import { DevflowError } from '../../schemas/errors.ts';
import type { Background } from '../text/palette.ts';
import { backgroundIn } from './background.ts';
import type { Capabilities } from './painter.ts';

/** The terminal's capabilities, from the environment. Throws for a terminal that cannot show the dashboard. */
export function detectCapabilities(env: NodeJS.ProcessEnv): Capabilities {
  const { TERM: term = '' } = env;
  if (term === '' || term === 'dumb' || term === 'unknown') {
    const message = `the dashboard cannot run on a terminal of type ${term || '(none)'}`;
    throw new DevflowError('usage', message, {
      recoveryHint: 'Set TERM to what your terminal is (such as xterm-256color), or use the commands: devflow --help.',
    });
  }
  return { colors: colorsOf(env, term), unicode: /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '') };
}

function colorsOf(env: NodeJS.ProcessEnv, term: string): Capabilities['colors'] {
  if (env.NO_COLOR || /^(vt\d|xterm-mono)/.test(term)) return 0;
  return /256color|direct|kitty|alacritty|ghostty|wezterm|tmux|screen-/.test(term) || env.COLORTERM ? 256 : 8;
}

/** The known background of the terminal, and whether to ask the terminal for it. */
export interface BackgroundSetting {
  readonly background: Background | undefined;
  readonly asks: boolean;
}

/** Follows the setting `tui.theme`. Never asks a terminal of eight colours: the Linux console would print the question. */
export function backgroundSetting(
  theme: 'auto' | Background,
  { colors }: Capabilities,
  env: NodeJS.ProcessEnv,
): BackgroundSetting {
  if (theme !== 'auto') return { background: theme, asks: false };
  if (colors !== 256) return { background: backgroundIn(env) ?? 'dark', asks: false };
  return { background: backgroundIn(env), asks: true };
}
