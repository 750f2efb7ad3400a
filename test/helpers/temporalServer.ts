import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { until } from './until.ts';

export interface TemporalServer {
  address: string;
  /** Starts it again on the same port and file. Resolves when it accepts connections. */
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export const NAMESPACE = 'devflow';
/** Without these a dev server takes 41 ms for each step: it has one shard, which polls 20 times a second. */
const QUICK = ['history.transferProcessorMaxPollRPS=1000', 'history.timerProcessorMaxPollRPS=1000'];

/** A queue has one worker in the tests. With the usual four partitions, its tasks are forwarded between them first. */
const ONE_PARTITION = ['matching.numTaskqueueReadPartitions=1', 'matching.numTaskqueueWritePartitions=1'];

/** A real Temporal server for tests, with its data in one file. `settings` is more of its dynamic configuration. */
export async function startTemporalServer(
  program: string,
  directory: string,
  settings: readonly string[] = [],
): Promise<TemporalServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    child = undefined;
  }

  const server: TemporalServer = {
    address: `127.0.0.1:${port}`,
    async start() {
      const dynamic = [...QUICK, ...ONE_PARTITION, ...settings].flatMap((value) => ['--dynamic-config-value', value]);
      const place = ['--ip', '127.0.0.1', '--port', String(port), '--db-filename', join(directory, 'temporal.db')];
      const args = ['server', 'start-dev', '--headless', '--namespace', NAMESPACE, '--log-level', 'never'];
      child = spawn(program, [...args, ...place, ...dynamic], { cwd: directory, stdio: 'ignore' });
      const failed = once(child, 'exit').then(() => {
        throw new Error('the Temporal server ended before it was ready');
      });
      failed.catch(() => {});
      await Promise.race([until('the Temporal server accepts connections', () => isOpen(port)), failed]);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
  await server.start();
  return server;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('the system gave no port');
  return address.port;
}
