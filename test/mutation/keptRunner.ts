import { Worker } from 'node:worker_threads';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';
import { NearestFirst } from './nearestFirst.ts';
import { fromPackages } from './packages.ts';

const KEPT = 'kept';
/** A test file is imported anew for each mutant, and no thread forgets a module. */
const RUNS_OF_A_THREAD = 100;

interface MutantRun {
  sandboxFileName: string;
}

interface VitestTestRunner {
  ctx: {
    config: { sequence: { sequencer: unknown } };
    projects: { config: { pool: string; poolRunner?: unknown } }[];
  };
  init(): Promise<void>;
  mutantRun(options: MutantRun): Promise<unknown>;
  dispose(): Promise<void>;
}

interface Injector {
  provideValue(token: string, value: unknown): { injectClass(type: unknown): unknown };
}

const { VitestTestRunner: Base } = (await import(
  fromPackages('@stryker-mutator/vitest-runner/dist/src/vitest-test-runner.js')
)) as { VitestTestRunner: new (...given: unknown[]) => VitestTestRunner };

/** Stryker's own runner starts a thread for each mutant, and most of its time goes into importing the sources again. */
class KeptRunner extends Base {
  static inject = ['options', 'logger', 'globalNamespace'];
  #thread: KeptThread | undefined;
  #runs = 0;

  override async init(): Promise<void> {
    await super.init();
    this.ctx.config.sequence.sequencer = NearestFirst;
    const createPoolWorker = (options: PoolOptions) => {
      this.#thread ??= new KeptThread(options);
      return this.#thread.lend();
    };
    for (const { config } of this.ctx.projects) {
      config.pool = KEPT;
      config.poolRunner = { name: KEPT, createPoolWorker };
    }
  }

  override async mutantRun(options: MutantRun): Promise<unknown> {
    if (this.#runs >= RUNS_OF_A_THREAD) await this.#end();
    this.#runs++;
    NearestFirst.mutated = options.sandboxFileName;
    return super.mutantRun(options);
  }

  override async dispose(): Promise<void> {
    await this.#end();
    await super.dispose();
  }

  async #end(): Promise<void> {
    await this.#thread?.end();
    this.#thread = undefined;
    this.#runs = 0;
  }
}

class KeptThread {
  readonly #worker: Worker;

  constructor({ distPath, env, execArgv }: PoolOptions) {
    this.#worker = new Worker(`${distPath}/workers/threads.js`, { env, execArgv, stdout: true, stderr: true });
    // Each run adds listeners and removes them.
    this.#worker.setMaxListeners(0);
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
  }

  /** A worker as vitest wants one for each run. To stop it does not end the thread. */
  lend(): PoolWorker {
    const worker = this.#worker;
    const listeners: [string, (message: unknown) => void][] = [];
    return {
      name: KEPT,
      on(event, listener) {
        listeners.push([event, listener]);
        worker.on(event, listener);
      },
      off(event, listener) {
        worker.off(event, listener);
      },
      send(message: WorkerRequest) {
        if (message.type !== 'stop') return worker.postMessage(message);
        const stopped = { type: 'stopped', __vitest_worker_response__: true };
        for (const [event, listener] of listeners) if (event === 'message') listener(stopped);
      },
      deserialize: (data) => data,
      async start() {},
      async stop() {
        for (const [event, listener] of listeners) worker.off(event, listener);
      },
    };
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

const createRunner = (injector: Injector) =>
  injector.provideValue('globalNamespace', '__stryker__').injectClass(KeptRunner);
createRunner.inject = ['$injector'];

export const strykerPlugins = [{ kind: 'TestRunner', name: KEPT, factory: createRunner }];
