import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { connect } from '../../../cli/client/connect.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { runningKeeper } from '../../../schemas/keeper/record.ts';
import { isAlive, signalIfThere } from '../../../schemas/process/processes.ts';
import type { MethodName, RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { CliResult } from '../../helpers/daemon.ts';
import { processesOf } from '../../helpers/leaks.ts';
import { makePanes, type Panes } from '../../helpers/paneDaemon.ts';
import { until } from '../../helpers/until.ts';
import { createService } from './service.ts';
import type { Uplink } from './uplink.ts';

/** One of the hosts: its home, its agents, its way to the servers. */
export interface Machine {
  name: string;
  panes: Panes;
  uplink: Uplink;
  cli(args: readonly string[]): Promise<CliResult>;
  call<N extends MethodName>(method: N, params: RpcParams<N>): Promise<RpcResult<N>>;
  daemonPid(): number | undefined;
  /** What starts the daemon again. */
  keeperPid(): number | undefined;
  tmuxPid(): number | undefined;
  /** Whether a service manager started its keeper, and starts it again. */
  hasService: boolean;
  /** What its service manager does at the start of the system. */
  boot(): void;
  /** All that runs on it ends at once, and its servers do not hear of it. */
  powerOff(): Promise<void>;
}

/** An answer that takes longer comes never, or from a host that is cut off. */
const ANSWER_MS = 30_000;
/** Gates about a silent host are part of the chaos. */
const SILENT_HOST_MS = '15000';

export async function makeMachine(name: string, uplink: Uplink, scripted: string): Promise<Machine> {
  const panes = await makePanes(scripted, {
    env: {
      ...uplink.env,
      DEVFLOW_TEMPORAL_HOST: name,
      DEVFLOW_TEMPORAL_SILENT_HOST_MS: SILENT_HOST_MS,
      DEVFLOW_MAX_CONCURRENT_RUNS: '100',
    },
  });
  const { daemon } = panes;
  const pidOf = (isIt: (command: string) => boolean) =>
    processesOf(daemon.root).find(({ command }) => isIt(command))?.pid;
  const isKeeper = (command: string) => /\/keeper\.(?:sh|cjs) /.test(command);
  const start = (args: readonly string[], stdio: StdioOptions) => {
    const [program = '', ...words] = [...uplink.words, daemon.cliProgram, ...args];
    return spawn(program, words, { cwd: daemon.root, env: { ...daemon.env, NO_COLOR: '1' }, stdio });
  };
  const service = createService(() => start(['service', 'run'], 'ignore'));

  const machine: Machine = {
    name,
    panes,
    uplink,
    async cli(args) {
      const run = start(args, 'pipe');
      const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
      const [stdout, stderr, code] = await Promise.all([
        text(run.stdout as Readable),
        text(run.stderr as Readable),
        ended,
      ]);
      return { code, stdout, stderr };
    },
    async call(method, params) {
      const client = await connect(daemon.socketPath);
      const late = once(AbortSignal.timeout(ANSWER_MS), 'abort').then(() => {
        throw Object.assign(new Error(`${method} got no answer from ${name} in time`), { code: 'no_answer' });
      });
      try {
        const answer = (client.call as (name: string, params: unknown) => Promise<never>)(method, params);
        return await Promise.race([answer, late]);
      } finally {
        client.close();
      }
    },
    daemonPid: () => pidOf((command) => /\/daemon\.cjs /.test(command) && !isKeeper(command)),
    keeperPid: () => runningKeeper(resolvePaths(daemon.env).keeperFile)?.pid,
    tmuxPid() {
      try {
        return Number(panes.tmux('display-message', '-p', '#{pid}'));
      } catch {
        return undefined;
      }
    },
    hasService: false,
    boot() {
      machine.hasService = true;
      service.start();
    },
    async powerOff() {
      service.stop();
      uplink.powerOff();
      const all = () => processesOf(daemon.root).filter(({ pid }) => isAlive(pid));
      await until(`${name} is dark`, () => {
        for (const { pid } of all()) signalIfThere(pid, 'SIGKILL');
        return all().length === 0;
      });
      // What a machine keeps in memory.
      for (const socket of [daemon.socketPath, panes.socketPath]) rmSync(socket, { force: true });
      uplink.powerOn();
    },
  };
  onTestFinished(async () => {
    service.stop();
    await machine.cli(['down']);
    uplink.close();
  });
  return machine;
}
