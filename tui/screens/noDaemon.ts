import type { Model, Size } from '../model/model.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** What is shown where there is no daemon to show anything of. Its keys are in `model/update.ts`. */
export function noDaemonView({ link }: Model, { columns }: Size): Line[] {
  const say = (text: string, ...keys: [string, string][]): Line[] => [
    EMPTY,
    line(span('  devflow', theme.title)),
    EMPTY,
    ...wrap(text, columns - 4).map((each) => line('  ', ...each)),
    EMPTY,
    line('  ', ...keys.flatMap(([key, label]) => [span(key, theme.key), span(` ${label}   `)])),
  ];
  if (link.state === 'other version') {
    return say(
      `The daemon is of version ${link.theirs}, this dashboard of ${link.ours}. Restart the daemon: devflow down, then devflow up. Runs and agents go on.`,
      ['r', 'try again'],
      ['q', 'quit'],
    );
  }
  if (link.state !== 'none') return [];
  if (link.starting) return say('The daemon is being started…', ['q', 'quit']);
  return say(
    `${link.why} Start it? Nothing else is changed.`,
    ['s', 'start the daemon'],
    ['r', 'try again'],
    ['q', 'quit'],
  );
}
