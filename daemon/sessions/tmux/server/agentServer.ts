import { isTmuxError } from '../../../../tmux/command/errors.ts';
import type { PaneId } from '../../../../tmux/command/ids.ts';
import { type DriverOptions, TmuxDriver, type Unsubscribe } from '../../../../tmux/driver.ts';
import { type PaneFlags, watchPaneFlags } from '../../../../tmux/paneFlags.ts';
import { reclaimServer } from '../../../../tmux/process/reclaimServer.ts';
import { writeConfig } from '../../../../tmux/server/config.ts';
import { endEmptyServer } from '../../../../tmux/server/endEmptyServer.ts';
import { type Server, serverEnv } from '../../../../tmux/server/server.ts';
import { spawnRunner } from '../../../../tmux/server/spawnRunner.ts';
import { readIdentity } from '../../../../tmux/server/startServer.ts';
import { cleanServerEnvironment } from './agentEnv.ts';
import { OWN_MARK } from './ownKeys.ts';
import { toServerError } from './serverError.ts';

const CONTROL_SESSION = 'devflow_control';

type FlagsListener = (panes: ReadonlyMap<PaneId, PaneFlags>) => void;

/** The tmux server with the agents: started with the first agent, and shared by all backends. */
export interface AgentServer {
  readonly server: Server;
  /** Starts devflow's own server if needed. Throws `backend_unavailable` if a person must act. */
  open(): Promise<TmuxDriver>;
  /** Undefined if no server runs, even one killed a moment ago: then no agent runs either. */
  existing(): Promise<TmuxDriver | undefined>;
  /** Cleans the environment of devflow's own server, if it runs. */
  cleanEnvironment(): Promise<void>;
  /** Called within a second after any pane changes. */
  onFlags(listener: FlagsListener): Unsubscribe;
  /** Disconnects from the server. Agents keep running; a server of devflow's own that has none ends. */
  close(): Promise<void>;
}

/** `configLines` are for devflow's own server. Opening it rewrites its configuration. */
export function createAgentServer(
  server: Server,
  configLines: readonly string[] = [],
  options: Pick<DriverOptions, 'quietMs'> = {},
): AgentServer {
  const listeners = new Set<FlagsListener>();
  let opening: Promise<TmuxDriver> | undefined;

  async function openNow(): Promise<TmuxDriver> {
    if (server.owner === 'own' && server.configFile !== undefined) writeConfig(server.configFile, configLines);
    const driver = await TmuxDriver.open(server, { controlSession: CONTROL_SESSION, ...options });
    if (server.owner === 'own') await cleanServerEnvironment(driver, serverEnv(server));
    await watchPaneFlags(driver, (panes) => {
      for (const listener of [...listeners]) listener(panes);
    });
    return driver;
  }

  /** An existing connection is asked whether its server runs, which costs no process. */
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
    if (driver && (await driver.readIdentity()) !== undefined) return true;
    if (await reclaimServer(server)) return true;
    if (driver) return false;
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
    async cleanEnvironment() {
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
      await endEmptyServer(server, CONTROL_SESSION, OWN_MARK);
    },
  };
}
