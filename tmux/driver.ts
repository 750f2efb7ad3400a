import type { Sequence } from './command/command.ts';
import { isTmuxError, TmuxError } from './command/errors.ts';
import type { Runner, RunOptions } from './command/runner.ts';
import { ControlConnection } from './control/controlConnection.ts';
import { destroyWhenUnattached, ensureControlSession } from './control/controlSession.ts';
import type { Notification } from './control/notifications.ts';
import { Reconnecting } from './control/reconnecting.ts';
import { SharedExclusiveLock } from './control/sharedExclusiveLock.ts';
import { sweepOrphans } from './control/sweepOrphans.ts';
import { reclaimServer, recordServer } from './process/reclaimServer.ts';
import type { Server } from './server/server.ts';
import { spawnRunner } from './server/spawnRunner.ts';
import { readIdentity, type ServerIdentity, startServer } from './server/startServer.ts';

export interface DriverOptions {
  /** Name of the connection's session, unique on that server. Default `_control`. */
  readonly controlSession?: string;
  /** Milliseconds of silence before the watchdog probes. Default 5,000. */
  readonly quietMs?: number;
  /** Milliseconds before each further try to connect; the last one repeats. Default: 50, doubled up to 5,000. */
  readonly retryMs?: readonly number[];
}

const RETRY_MS = [50, 100, 200, 400, 800, 1600, 3200, 5000];

/** `identity` differs if another server answers: then every known pane is gone. */
export type ConnectionState =
  | { readonly up: true; readonly identity: ServerIdentity }
  | { readonly up: false; readonly reason: string };

export type Unsubscribe = () => void;

/**
 * Drives one tmux server: over one connection while it is open, otherwise by spawned tmux processes. The driver
 * reconnects with back-off. It does not restart a lost server: the caller decides that with `revive`.
 */
export class TmuxDriver implements Runner {
  readonly server: Server;
  readonly controlSession: string;
  readonly #options: DriverOptions;
  readonly #spawned: Runner;
  readonly #loop: Reconnecting<ControlConnection>;
  /**
   * Connecting is exclusive. Up to 3.5a, a server also sends notifications to a control client that is still attaching,
   * and dies of it. So nothing of ours may create, close, select or rename anything meanwhile.
   */
  readonly #lock = new SharedExclusiveLock();
  readonly #notified = new Set<(notification: Notification) => void>();
  readonly #stateChanged = new Set<(state: ConnectionState) => void>();
  readonly #subscriptions = new Map<string, string>();
  #state: ConnectionState = { up: false, reason: 'not connected yet' };

  private constructor(server: Server, options: DriverOptions) {
    this.server = server;
    this.#options = options;
    this.controlSession = options.controlSession ?? '_control';
    this.#spawned = spawnRunner(server);
    this.#loop = new Reconnecting({
      retryMs: options.retryMs ?? RETRY_MS,
      connect: (lost) => this.#lock.exclusive(() => this.#connect(lost)),
      failed: (reason) => this.#setState({ up: false, reason }),
    });
  }

  /**
   * Starts devflow's own server if needed, kills left-over clients and connects. Without a connection the driver still
   * works, more slowly and without notifications; `state` says why. Throws `no_server`, `not_installed`.
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
   * Restarts devflow's own server if it has ended, and connects at once. While the connection answers, it spawns no
   * process. It only restores a removed socket, which others need to reach the server. Throws `no_server` for a user's
   * server that does not run.
   */
  async revive(): Promise<ServerIdentity> {
    await reclaimServer(this.server);
    const identity = this.#loop.current && (await this.readIdentity());
    if (identity && this.#loop.current) return identity;
    const started = await this.#lock.shared(() => startServer(this.server));
    await recordServer(this.server, started);
    await this.#loop.now();
    return started;
  }

  /**
   * The server that answers now; undefined if none does. It asks the server itself: a connection may not have noticed
   * yet that its server was killed.
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
    if (connection === undefined) return this.#runWithoutConnection(sequence, options);
    try {
      return await connection.run(sequence, options);
    } catch (error) {
      if (!options.idempotent || connection.open || !isTmuxError(error, 'outcome_unknown')) throw error;
      return this.#runWithoutConnection(sequence, options);
    }
  }

  /** Uses a connection that is being opened if there is one, otherwise a process. */
  #runWithoutConnection(sequence: Sequence, options: RunOptions): Promise<string[]> {
    return this.#lock.shared(() => (this.#loop.current ?? this.#spawned).run(sequence, options));
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
   * Sends `subscription` notifications of that name whenever the format's value changes. tmux checks it once a second.
   * Each reconnect subscribes again. Throws `bad_argument` for a name that is in use or contains a colon.
   */
  async subscribe(name: string, format: string): Promise<Unsubscribe> {
    if (!/^[\w-]+$/.test(name) || this.#subscriptions.has(name)) {
      throw new TmuxError('bad_argument', `The subscription name ${name} is invalid or in use.`);
    }
    this.#subscriptions.set(name, format);
    await this.#loop.current?.run([subscription(name, format)]).catch(unlessLost);
    return () => {
      this.#subscriptions.delete(name);
      this.#loop.current?.run([['refresh-client', '-B', name]]).catch(() => {});
    };
  }

  /** Closes the connection, not the server. */
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
