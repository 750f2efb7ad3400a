import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { commandLine, type Sequence } from '../command/command.ts';
import { commandError, TmuxError } from '../command/errors.ts';
import type { Runner, RunOptions } from '../command/runner.ts';
import { type Server, serverArgv, serverEnv } from '../server/server.ts';
import { DEFAULT_TIMEOUT_MS } from '../server/spawnRunner.ts';
import { type ControlMessage, ControlParser, decode } from './controlParser.ts';
import { type Notification, parseNotification } from './notifications.ts';
import { Watchdog } from './watchdog.ts';

/** Options of a connection; times in milliseconds. */
export interface ControlOptions {
  /** Session to attach to, by name. */
  readonly session: string;
  readonly onNotification: (notification: Notification) => void;
  /** Called once when the connection ends, also after `close`. */
  readonly onClose: (reason: string) => void;
  /**
   * Commands may be outstanding this long without any input. Then a probe is sent, and after the same time the
   * connection is killed. Default 5,000.
   */
  readonly quietMs?: number;
  /** The server must answer the attach within this time. Default 10,000. */
  readonly connectMs?: number;
}

interface Request {
  readonly line: string;
  /** Printed by an extra command after the sequence, because a sequence answers with any number of blocks. */
  readonly token: string;
  readonly lines: string[];
  refused?: string;
  settle(error?: TmuxError): void;
}

/**
 * One control-mode connection. Commands are pipelined: each is written at once, and tmux answers in order. Always
 * `no-output`: with output on, a stopped reader froze every pane of the server, and a killed reader blocked it.
 */
export class ControlConnection implements Runner {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #parser = new ControlParser();
  readonly #queue: Request[] = [];
  readonly #watchdog: Watchdog;
  readonly #prefix = randomUUID();
  readonly #ended: Promise<void>;
  /** Commands wait for it, because tmux would run them before the attach. The end resolves it too. */
  readonly #attached: Promise<void>;
  #attach: () => void = () => {};
  #count = 0;
  #open = true;
  #lastError = '';

  private constructor(server: Server, options: ControlOptions) {
    const [program, ...where] = serverArgv(server) as [string, ...string[]];
    const attach = ['attach-session', '-t', `=${options.session}`, '-f', 'no-output,ignore-size'];
    this.#child = spawn(program, [...where, '-C', ...attach], { env: serverEnv(server), stdio: 'pipe' });
    this.#watchdog = new Watchdog(options.quietMs ?? 5000, {
      probe: () => void this.run([]).catch(() => {}),
      abandon: () => this.#abandon(),
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#lastError = chunk.toString().trim()));
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#watchdog.onInput();
      for (const message of this.#parser.push(chunk)) this.#take(message, options);
    });
    this.#child.on('error', (error) => (this.#lastError = error.message));
    this.#attached = new Promise((resolve) => {
      this.#attach = resolve;
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', () => {
        this.#close(options);
        resolve();
      });
    });
  }

  /**
   * Resolves when the server has answered. Throws TmuxError: `no_server`, `no_target` (session) and others, also for a
   * server that does not answer in time.
   */
  static async connect(server: Server, options: ControlOptions): Promise<ControlConnection> {
    const connection = new ControlConnection(server, options);
    const { connectMs = DEFAULT_TIMEOUT_MS } = options;
    const timer = setTimeout(() => {
      connection.#lastError = `no answer within ${connectMs} ms`;
      connection.#abandon();
    }, connectMs);
    await connection.#attached;
    clearTimeout(timer);
    if (connection.#open) return connection;
    throw commandError('attach-session', connection.#lastError);
  }

  get open(): boolean {
    return this.#open;
  }

  run(sequence: Sequence, options: RunOptions = {}): Promise<string[]> {
    return new Promise((resolve, reject) => {
      const command = commandLine(sequence);
      if (!this.#open) {
        reject(new TmuxError('no_server', 'The connection to tmux is closed.', { command }));
        return;
      }
      const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      // A request stays queued after its time-out: its answer may still come and must be matched.
      const timer = setTimeout(() => reject(lost(command, `no answer within ${timeoutMs} ms`)), timeoutMs);
      const request: Request = {
        line: command,
        token: `${this.#prefix}-${this.#count++}`,
        lines: [],
        settle: (error) => {
          clearTimeout(timer);
          if (error !== undefined) reject(error);
          else resolve(request.lines);
        },
      };
      this.#queue.push(request);
      this.#watchdog.waiting();
      // An empty line would detach the client.
      this.#child.stdin.write(`${command === '' ? '' : `${command}\n`}display-message -p ${request.token}\n`);
    });
  }

  /** Detaches; kills the client if it has not ended after a second. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#abandon(), 1000);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Does not wait for the pipes to end: the server holds their other ends, and may be hung itself. */
  #abandon(): void {
    this.#child.kill('SIGKILL');
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }

  #take(message: ControlMessage, options: ControlOptions): void {
    if (message.type === 'notification') {
      const notification = parseNotification(message.line);
      if (notification.type === 'exit' && notification.reason !== '') this.#lastError = notification.reason;
      options.onNotification(notification);
    } else if (message.type === 'block') this.#answer(message);
  }

  #answer(block: Extract<ControlMessage, { type: 'block' }>): void {
    if (!block.ours) {
      // The first block is the attach's answer. If the attach fails, the connection ends.
      if (block.ok) this.#attach();
      else this.#lastError = decode(block.lines.join('\n'));
      return;
    }
    const request = this.#queue[0];
    if (request === undefined) return;
    if (block.lines.length === 1 && block.lines[0] === request.token) {
      this.#queue.shift();
      if (this.#queue.length === 0) this.#watchdog.idle();
      request.settle(request.refused === undefined ? undefined : commandError(request.line, request.refused));
    } else if (block.ok) for (const line of block.lines) request.lines.push(decode(line));
    else request.refused ??= decode(block.lines.join('\n'));
  }

  #close(options: ControlOptions): void {
    this.#open = false;
    this.#attach();
    this.#watchdog.idle();
    const reason = this.#lastError || 'the connection ended';
    for (const request of this.#queue.splice(0)) request.settle(lost(request.line, reason));
    options.onClose(reason);
  }
}

function lost(command: string, reason: string): TmuxError {
  return new TmuxError('outcome_unknown', `tmux may or may not have run the command: ${reason}.`, { command });
}
