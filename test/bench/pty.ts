import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { shellQuote } from '../../tmux/command/command.ts';

/** The benchmark's own terminal. It writes and reads every byte, as a person's terminal does. */
export interface Pty {
  write(bytes: string): void;
  /** When the first matching text came, in the output since the last `write` or `forget`. By the monotonic clock. */
  sees(what: string | RegExp): Promise<number>;
  forget(): void;
  /** Writes, waits, and returns the milliseconds between. */
  answers(bytes: string, what: string | RegExp): Promise<number>;
  /** The pid of the program, which has replaced its shell. */
  readonly pid: number;
  close(): Promise<void>;
}

const PATIENCE_MS = 20_000;
/** More than any repaint of a screen. */
const KEPT = 400_000;

/** `script` of util-linux makes the pseudo terminal. The program starts at the first newline. */
export async function openPty(
  command: string,
  options: { env: NodeJS.ProcessEnv; columns: number; rows: number },
): Promise<Pty> {
  const { columns, rows, env } = options;
  const line = `stty cols ${columns} rows ${rows} -echo; echo "pid $$ ."; read -r _; exec ${command}`;
  const child = spawn('script', ['-qfec', `exec sh -c ${shellQuote(line)}`, '/dev/null'], {
    env: { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  let seen: { what: string | RegExp; resolve(at: number): void } | undefined;
  const look = () => {
    if (!seen || !(typeof seen.what === 'string' ? text.includes(seen.what) : seen.what.test(text))) return;
    seen.resolve(performance.now());
    seen = undefined;
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT);
    look();
  });
  child.stdin.on('error', () => {});

  const sees = (what: string | RegExp): Promise<number> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no ${what} in: ${JSON.stringify(text.slice(-2000))}`)),
        PATIENCE_MS,
      );
      seen = {
        what,
        resolve(at) {
          clearTimeout(timer);
          resolve(at);
        },
      };
      look();
    });
  await sees(/pid \d+ \./);
  const pid = Number(/pid (\d+) \./.exec(text)?.[1]);
  const write = (bytes: string) => {
    text = '';
    child.stdin.write(bytes);
  };
  return {
    write,
    sees,
    pid,
    forget: () => {
      text = '';
    },
    async answers(bytes, what) {
      const begun = performance.now();
      write(bytes);
      return (await sees(what)) - begun;
    },
    close: () => end(child, pid),
  };
}

async function end(child: ChildProcess, pid: number): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It ended meanwhile.
  }
  await ended;
}
