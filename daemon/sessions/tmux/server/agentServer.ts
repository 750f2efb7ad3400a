import { type DriverOptions, TmuxDriver, type Unsubscribe } from '../../../../tmux/driver.ts';
import { isTmuxError } from '../../../../tmux/errors.ts';
import type { PaneId } from '../../../../tmux/ids.ts';
import { type PaneFlags, watchPaneFlags } from '../../../../tmux/paneFlags.ts';
import { writeConfig } from '../../../../tmux/server/config.ts';
import { type Server, serverEnv } from '../../../../tmux/server/server.ts';
import { spawnRunner } from '../../../../tmux/server/spawnRunner.ts';
import { readIdentity } from '../../../../tmux/server/startServer.ts';
import { cleanServerEnvironment } from './agentEnv.ts';
import { toServerError } from './serverError.ts';

type FlagsListener = (panes: ReadonlyMap<PaneId, PaneFlags>) => void;

/** The tmux server that agents live on: started when the first of them is, and shared by all backends. */
export interface AgentServer {
  readonly server: Server;
  /** Starts an own server if need be. Throws `backend_unavailable` when a person must see to it. */
  open(): Promise<TmuxDriver>;
  /** Undefined when no server runs, be it killed a moment ago: then no agent does. */
  existing(): Promise<TmuxDriver | undefined>;
  /** Cleans the environment of devflow's own server if it runs. */
  tidy(): Promise<void>;
  /** Within a second of a change of any pane. */
  onFlags(listener: FlagsListener): Unsubscribe;
  /** Lets go of the server; agents live on. */
  close(): Promise<void>;
}

/** `configLines` are for an own server, whose configuration is written anew when it is opened. */
export function createAgentServer(
  server: Server,
  configLines: readonly string[] = [],
  options: Pick<DriverOptions, 'quietMs'> = {},
): AgentServer {
  const listeners = new Set<FlagsListener>();
  let opening: Promise<TmuxDriver> | undefined;

  async function openNow(): Promise<TmuxDriver> {
    if (server.owner === 'own' && server.configFile !== undefined) writeConfig(server.configFile, configLines);
    const driver = await TmuxDriver.open(server, { controlSession: 'devflow_control', ...options });
    if (server.owner === 'own') await cleanServerEnvironment(driver, serverEnv(server));
    await watchPaneFlags(driver, (panes) => {
      for (const listener of [...listeners]) listener(panes);
    });
    return driver;
  }

  /** A connection that was had before is asked whether its server lives, which costs no process. */
  async function open(): Promise<TmuxDriver> {
    try {
      const driver = await opened();
      await driver.revive();
      return driver;
    } catch (error) {
      throw toServerError(server, error);
    }
  }

  function opened(): Promise<TmuxDriver> {
    opening ??= openNow().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function isRunning(): Promise<boolean> {
    const driver = await opening?.catch(() => undefined);
    if (driver) return (await driver.readIdentity()) !== undefined;
    return readIdentity(spawnRunner(server)).then(
      () => true,
      (error) => {
        if (isTmuxError(error, 'no_server')) return false;
        throw toServerError(server, error);
      },
    );
  }

  return {
    server,
    open,
    async existing() {
      return (await isRunning()) ? open() : undefined;
    },
    async tidy() {
      if (server.owner !== 'own') return;
      try {
        await cleanServerEnvironment(spawnRunner(server), serverEnv(server));
      } catch (error) {
        if (!isTmuxError(error, 'no_server')) throw toServerError(server, error);
      }
    },
    onFlags(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      const driver = await opening?.catch(() => undefined);
      opening = undefined;
      await driver?.close();
    },
  };
}
