import { type Command, commandLine } from '../command/command.ts';

export interface Cells {
  readonly columns: number;
  readonly rows: number;
}

export interface WindowFit {
  /** Only windows whose pane has this mark are fitted. */
  readonly mark: `@${string}`;
  /** The size of a window that nobody looks at. */
  readonly unattached: Cells;
  /** A window is never smaller, because programs draw nothing useful there. A smaller terminal shows a part of it. */
  readonly least: Cells;
}

/** Every change of who looks at which window. */
const EVENTS = [
  'client-attached',
  'client-detached',
  'client-resized',
  'client-session-changed',
  'session-window-changed',
];
/** No other configuration uses this number. */
const HOOK = 4219;

/**
 * Lines for an own server's configuration. A window has the size of the smallest client that shows it, and its own size
 * while no client does. In a larger window, a person would not see what they type. Programs hide the cursor, so tmux
 * does not pan to it. No shell is needed, and no daemon. Sizes are set by hand, because `window-size smallest` knows no
 * least size and does not return to the own size.
 */
export function fitWindowsLines(fit: WindowFit): string[] {
  const each = (commands: string) => `#{S:#{W:#{?${fit.mark},${commands},}}}`;
  // A second step, because it looks at the sizes that the first set: its formats are expanded only then.
  const second = commandLine([inBackground(each(widen(fit)).replaceAll('#', '##'))]);
  const refit = commandLine([inBackground(`${each(follow(fit))}${second}`)]);
  const commands: Command[] = [
    // The size that resize-window -a takes if no client counts, as when the only one is suspended.
    ['set-option', '-g', 'default-size', `${fit.unattached.columns}x${fit.unattached.rows}`],
    ...EVENTS.map((event): Command => ['set-hook', '-g', `${event}[${HOOK}]`, refit]),
  ];
  return commands.map((command) => commandLine([command]));
}

/**
 * Runs commands that a format makes. With `-b` no hook waits for its `run-shell`: tmux 3.3a would drop the notifications
 * that come right after it. They say that a size is new or that a pane is dead.
 */
function inBackground(commands: string): Command {
  return ['run-shell', '-b', '-C', commands];
}

/** Commands as a format, for each window. A window that has its size is left alone: each resize makes its program redraw. */
function follow({ unattached: { columns, rows } }: WindowFit): string {
  const isOwnSize = `#{&&:#{==:#{window_width},${columns}},#{==:#{window_height},${rows}}}`;
  const toOwnSize = `#{?${isOwnSize},,resize-window -t #{window_id} -x ${columns} -y ${rows} ; }`;
  return `#{?window_active_clients,resize-window -a -t #{window_id} ; ,${toOwnSize}}`;
}

function widen({ least: { columns, rows } }: WindowFit): string {
  const below = (name: string, least: number) => `#{e|<:#{${name}},${least}}`;
  return [
    `#{?${below('window_width', columns)},resize-window -t #{window_id} -x ${columns} ; ,}`,
    `#{?${below('window_height', rows)},resize-window -t #{window_id} -y ${rows} ; ,}`,
  ].join('');
}
