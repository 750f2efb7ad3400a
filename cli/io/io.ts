import type { Env } from '../../schemas/files/paths.ts';
import { visible } from '../../schemas/text/visible.ts';

/** The streams, environment and terminal of a command. Tests give their own. */
export interface Io {
  /** Text reaches the terminal with every character visible, except newlines and colours. Bytes pass unchanged. */
  out(text: string | Uint8Array): void;
  err(text: string | Uint8Array): void;
  /** Resolves when standard output takes more, for commands that print much. */
  drained?(): Promise<void>;
  readonly env: Env;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly outIsTty: boolean;
  readonly errIsTty: boolean;
  readonly inIsTty: boolean;
  /** Columns of the terminal. Infinite without one, so that nothing is cut in a file. */
  readonly columns: number;
  /** Rows of the terminal; absent without one. */
  readonly rows?: number;
  readonly color: boolean;
}

export function processIo(): Io {
  const { stdout, stderr, env } = process;
  const outIsTty = stdout.isTTY === true;
  return {
    out: (text) => void stdout.write(typeof text === 'string' ? terminalText(text) : text),
    err: (text) => void stderr.write(typeof text === 'string' ? terminalText(text) : text),
    drained: () =>
      stdout.writableNeedDrain ? new Promise((resolve) => stdout.once('drain', resolve)) : Promise.resolve(),
    env,
    cwd: process.cwd(),
    // Opened on first use, because opening takes time and few commands read standard input.
    get stdin() {
      return process.stdin;
    },
    outIsTty,
    errIsTty: stderr.isTTY === true,
    get inIsTty() {
      return process.stdin.isTTY === true;
    },
    columns: outIsTty ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    rows: outIsTty ? stdout.rows || 24 : undefined,
    color: wantsColor(env, outIsTty),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the only sequences that pass begin with one
const COLOUR = /(\u001b\[[\d;]*m)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const COLOURS = /\u001b\[[\d;]*m/g;

/** A last check, in case a command forgets `visible`. */
export function terminalText(text: string): string {
  const letters = text.replace(COLOURS, '');
  if (visible(letters, 'text') === letters) return text;
  return text
    .split(COLOUR)
    .map((part, nth) => (nth % 2 === 1 ? part : visible(part, 'text')))
    .join('');
}

/** NO_COLOR (no-color.org) wins over FORCE_COLOR, which wins over what the output is. */
export function wantsColor(env: Env, isTty: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTty && env.TERM !== 'dumb';
}
