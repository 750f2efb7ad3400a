import { shellQuote } from '../command/command.ts';

/** The program of a pane; see `wrapperScript`. */
export interface PaneProgram {
  readonly argv: readonly [string, ...string[]];
  /** Variables besides those of the server. Never on a command line, where `ps` would show them. */
  readonly env?: Readonly<Record<string, string>>;
  readonly unsetEnv?: readonly string[];
}

/** Files of a pane's own directory. */
export const RUN_FILE = 'run';
/** `0` to `255` and a newline: the program's exit status, 128 + N for signal N. Appears whole. */
export const STATUS_FILE = 'status';
/** `status signal`, as tmux saw the wrapper end; either may be empty. Appears whole. */
export const HOOK_FILE = 'hook';
/** A FIFO that the wrapper holds open. Its reader gets end of file when the wrapper ends for any reason. */
export const ALIVE_FILE = 'alive';

/** Printed by the wrapper after the program: takes back a request for focus events. */
export const LAST_OUTPUT = '\x1b[?1004l';

/**
 * The sh script around a program. It survives Ctrl-C and Ctrl-\\ (the program still gets them) and records how the
 * program ended. It then waits 50 ms: without the wait up to 3 % of runs lost their last bytes. It must die of a HUP. A
 * closed terminal hangs up only its leader, and the leader's death then hangs up the foreground program. At the end it
 * takes back a request for focus events. A tmux before 3.5 dies when it tells a dead pane of the focus. At an attach
 * that happens with `focus-events off` too. The braces make sh read the whole script before it runs.
 */
export function wrapperScript(directory: string, program: PaneProgram): string {
  const file = (name: string): string => shellQuote(`${directory}/${name}`);
  return [
    '{',
    ...(program.unsetEnv ?? []).map((name) => `unset ${variable(name)}`),
    ...Object.entries(program.env ?? {}).map(([name, value]) => `export ${variable(name)}=${shellQuote(value)}`),
    'trap : INT QUIT',
    // Opened before it gets its name: an early reader would find no writer and take that for the end.
    `mkfifo ${file(`${ALIVE_FILE}.new`)} && exec 9<>${file(`${ALIVE_FILE}.new`)}`,
    `mv -f ${file(`${ALIVE_FILE}.new`)} ${file(ALIVE_FILE)}`,
    `${program.argv.map(shellQuote).join(' ')} 9>&-`,
    'status=$?',
    `echo "$status" >${file(`${STATUS_FILE}.new`)} && mv -f ${file(`${STATUS_FILE}.new`)} ${file(STATUS_FILE)}`,
    `printf %s ${shellQuote(LAST_OUTPUT)}`,
    'sleep 0.05',
    'exit "$status"',
    '}',
    '',
  ].join('\n');
}

function variable(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new TypeError(`Not the name of an environment variable: ${name}`);
  return name;
}
