import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StubPlace } from './stubEngine.ts';

export interface KillableHost {
  /** Resolves when it drives its runs. */
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>;
}

/** The program `chaosHost.ts`. */
export function createKillableHost(place: StubPlace & { journal: string }): KillableHost {
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  return {
    async start() {
      const program = join(import.meta.dirname, 'chaosHost.ts');
      const { host, port, user, database } = place.connection;
      const words = JSON.stringify({ ...place, connection: { host, port, user, database } });
      child = spawn(process.execPath, [program, words], { stdio: ['ignore', 'pipe', 'inherit'] });
      exited = once(child, 'exit');
      const early = exited.then(() => Promise.reject(new Error('the host ended before it was ready')));
      early.catch(() => {});
      if (child.stdout) await Promise.race([once(child.stdout, 'data'), early]);
    },
    async kill(signal) {
      child?.kill(signal);
      await exited;
    },
    async ended() {
      await exited;
    },
  };
}
