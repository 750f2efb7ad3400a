import type { Env } from '../schemas/files/paths.ts';
import { visible } from '../schemas/visible.ts';

/** What a command knows of the world around it; tests give their own. */
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
  /** Columns of the terminal; infinite where there is none, so that nothing is cut in a file. */
  readonly columns: number;
  /** Rows of the terminal; absent where there is none. */
  readonly rows?: number;
  readonly color: boolean;
}

/**
 * The action of a command, in a file of its own. `name` is what it was called by, for files that serve several
 * commands. The number is the exit code; nothing is 0.
 */
// biome-ignore lint/suspicious/noExplicitAny: commander types neither arguments nor options; each action names its own
export type Action = (args: any, options: any, io: Io, name: string) => Promise<number | undefined>;

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
    // Made on first use: opening standard input costs its share of the start, and few commands read it.
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
