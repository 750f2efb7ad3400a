import type { Sequence } from './command/command.ts';
import type { Runner, RunOptions } from './command/runner.ts';
import { ControlConnection } from './control/controlConnection.ts';
import { destroyWhenUnattached, ensureControlSession } from './control/controlSession.ts';
import type { Notification } from './control/notifications.ts';
import { Reconnecting } from './control/reconnecting.ts';
import { SharedExclusiveLock } from './control/sharedExclusiveLock.ts';
import { sweepOrphans } from './control/sweepOrphans.ts';
import { isTmuxError, TmuxError } from './errors.ts';
import type { Server } from './server/server.ts';
import { spawnRunner } from './server/spawnRunner.ts';
import { readIdentity, type ServerIdentity, startServer } from './server/startServer.ts';

export interface DriverOptions {
  /** Name of the session the connection lives in, unlike any other on that server. Default `_control`. */
  readonly controlSession?: string;
  /** Milliseconds of silence before the watchdog probes. Default 5,000. */
  readonly quietMs?: number;
  /** First and longest wait between two tries to connect, in milliseconds. Default 50 and 5,000. */
  readonly retryMs?: readonly [first: number, longest: number];
}

/** `identity` differs from the last one when another server answers: every pane that was known is gone. */
export type ConnectionState =
  | { readonly up: true; readonly identity: ServerIdentity }
  | { readonly up: false; readonly reason: string };

export type Unsubscribe = () => void;

/**
 * One tmux server, driven over one connection while it stands and by spawned tmux processes while it does not.
 * A lost connection is taken up again with back-off; a lost server is not started again: that is the caller's decision,
 * `revive`.
 */
export class TmuxDriver implements Runner {
  readonly server: Server;
  readonly controlSession: string;
  readonly #options: DriverOptions;
  readonly #spawned: Runner;
  readonly #loop: Reconnecting<ControlConnection>;
  /**
   * Connecting goes alone. Up to 3.5a a server writes its notifications also to a control client that is still saying who
   * it is, and dies of it: nothing of ours may then make, close, select or rename anything there.
   */
  readonly #turns = new SharedExclusiveLock();
  readonly #notified = new Set<(notification: Notification) => void>();
  readonly #stateChanged = new Set<(state: ConnectionState) => void>();
  readonly #subscriptions = new Map<string, string>();
  #state: ConnectionState = { up: false, reason: 'not connected yet' };

  private constructor(server: Server, options: DriverOptions) {
    this.server = server;
    this.#options = options;
    this.controlSession = options.controlSession ?? '_control';
    this.#spawned = spawnRunner(server);
    const [firstMs, longestMs] = options.retryMs ?? [50, 5000];
    this.#loop = new Reconnecting({
      firstMs,
      longestMs,
      connect: (lost) => this.#turns.exclusive(() => this.#connect(lost)),
      failed: (reason) => this.#setState({ up: false, reason }),
    });
  }

  /**
   * Starts an own server if need be, sweeps left-over clients and connects. Where no connection can be had the driver
   * works all the same, slower and without notifications; `state` says why. Throws `no_server`, `not_installed`.
   */
  static async open(server: Server, options: DriverOptions = {}): Promise<TmuxDriver> {
    const driver = new TmuxDriver(server, options);
    await driver.revive();
    return driver;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /**
   * Starts an own server that has ended, and connects now rather than after the back-off. While the connection answers
   * there is nothing to do, and no process is spawned. Throws `no_server` for a foreign server that does not run.
   */
  async revive(): Promise<ServerIdentity> {
    const identity = this.#loop.current && (await this.readIdentity());
    if (identity && this.#loop.current) return identity;
    const started = await this.#turns.shared(() => startServer(this.server));
    await this.#loop.now();
    return started;
  }

  /**
   * Which server answers at this moment, undefined when none does. The server itself is asked: one that was just killed
   * is not taken for alive because its connection has not noticed yet.
   */
  async readIdentity(): Promise<ServerIdentity | undefined> {
    try {
      return await readIdentity(this);
    } catch (error) {
      if (isTmuxError(error, 'no_server')) return undefined;
      throw error;
    }
  }

  async run(sequence: Sequence, options: RunOptions = {}): Promise<string[]> {
    const connection = this.#loop.current;
    if (connection === undefined) return this.#runAnyhow(sequence, options);
    try {
      return await connection.run(sequence, options);
    } catch (error) {
      if (!options.idempotent || connection.open || !isTmuxError(error, 'outcome_unknown')) throw error;
      return this.#runAnyhow(sequence, options);
    }
  }

  /** By the connection that is being made, if one is, else by a process. */
  #runAnyhow(sequence: Sequence, options: RunOptions): Promise<string[]> {
    return this.#turns.shared(() => (this.#loop.current ?? this.#spawned).run(sequence, options));
  }

  onNotification(listener: (notification: Notification) => void): Unsubscribe {
    this.#notified.add(listener);
    return () => this.#notified.delete(listener);
  }

  onState(listener: (state: ConnectionState) => void): Unsubscribe {
    this.#stateChanged.add(listener);
    return () => this.#stateChanged.delete(listener);
  }

  /**
   * `subscription` notifications of that name whenever the format's value changes, looked at by tmux once a second, and
   * anew after each reconnect. Throws `bad_argument` for a name that is in use or holds a colon.
   */
  async subscribe(name: string, format: string): Promise<Unsubscribe> {
    if (!/^[\w-]+$/.test(name) || this.#subscriptions.has(name)) {
      throw new TmuxError('bad_argument', `Not a name for a subscription, or in use: ${name}.`);
    }
    this.#subscriptions.set(name, format);
    await this.#loop.current?.run([subscription(name, format)]).catch(unlessLost);
    return () => {
      this.#subscriptions.delete(name);
      this.#loop.current?.run([['refresh-client', '-B', name]]).catch(() => {});
    };
  }

  /** Ends the connection, not the server. */
  async close(): Promise<void> {
    await this.#loop.stop();
    this.#setState({ up: false, reason: 'closed' });
  }

  async #connect(lost: () => void): Promise<ControlConnection> {
    await ensureControlSession(this.#spawned, this.controlSession);
    await sweepOrphans(this.#spawned, this.controlSession);
    const connection = await ControlConnection.connect(this.server, {
      session: this.controlSession,
      quietMs: this.#options.quietMs,
      onNotification: (notification) => {
        for (const listener of this.#notified) listener(notification);
      },
      onClose: (reason) => {
        this.#setState({ up: false, reason });
        lost();
      },
    });
    if (this.server.owner === 'theirs') await destroyWhenUnattached(connection, this.controlSession);
    for (const [name, format] of this.#subscriptions) await connection.run([subscription(name, format)]);
    this.#setState({ up: true, identity: await readIdentity(connection) });
    return connection;
  }

  #setState(state: ConnectionState): void {
    if (!state.up && !this.#state.up && state.reason === this.#state.reason) return;
    this.#state = state;
    for (const listener of this.#stateChanged) listener(state);
  }
}

function subscription(name: string, format: string): ['refresh-client', '-B', string] {
  return ['refresh-client', '-B', `${name}::${format}`];
}

/** The next connection subscribes. */
function unlessLost(error: unknown): void {
  if (!isTmuxError(error, 'outcome_unknown') && !isTmuxError(error, 'no_server')) throw error;
}
