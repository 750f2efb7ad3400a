import { randomUUID } from 'node:crypto';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { TERMINAL } from '../../helpers/drive.ts';
import type { TestRepo } from '../../helpers/testRepo.ts';
import { until } from '../../helpers/until.ts';
import { type Decision, decide } from './decide.ts';
import { KINDS, type KindName } from './kinds.ts';
import type { Machine } from './machine.ts';
import { AWAY, askAny, codeOf, type World } from './world.ts';

/** One run, and what a person did about it. */
export interface RunRecord {
  kind: KindName;
  /** The host that has it. */
  host: Machine;
  repo: TestRepo;
  token: string;
  runId: string;
  state: 'starting' | 'open' | 'ended' | 'lost' | 'stuck';
  decisions: Map<string, Decision>;
  /** How often the database went back behind its last event. */
  setBack: number;
}

export interface DriverOptions {
  /** In this order, and then from the beginning. */
  kinds: readonly KindName[];
  atOnce: number;
  /** Whether another run must begin, after so many that the database did not lose. */
  isMoreWanted(begun: number): boolean;
  /** Whether no fault can come that opens an ended run again. */
  isOver(): boolean;
}

/** How often a person looks. */
const LOOK_MS = 300;
/** When a host that was away is asked again. */
export const AGAIN_MS = 1_000;
/** A run that does not move for so long while all hosts are there is stuck. */
const STUCK_MS = 150_000;

/** Starts runs on all hosts and decides their gates as an honest person would, on any host that answers. */
export class Driver {
  readonly runs: RunRecord[] = [];
  /** While a fault lasts, nothing counts as stuck. */
  isDisturbed = false;
  readonly #world: World;
  readonly #options: DriverOptions;
  #looked = 0;
  #moved = { at: Date.now(), seen: '' };

  constructor(world: World, options: DriverOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Until all have ended. */
  drive(): Promise<unknown> {
    return until('all runs have ended', () => this.#tick(), Number.POSITIVE_INFINITY);
  }

  get open(): RunRecord[] {
    return this.runs.filter(({ state }) => state === 'starting' || state === 'open');
  }

  #kept(): number {
    return this.runs.filter(({ state }) => state !== 'lost').length;
  }

  async #tick(): Promise<boolean> {
    if (Date.now() - this.#looked < LOOK_MS) return false;
    this.#looked = Date.now();
    while (this.open.length < this.#options.atOnce && this.#options.isMoreWanted(this.#kept())) this.#begin();
    if (this.open.length === 0) return this.#options.isOver();
    const lists = await this.#look();
    if (lists) for (const run of this.open) await this.#follow(run, lists);
    this.#judgeProgress(lists);
    return false;
  }

  async #look() {
    try {
      const runs = await askAny(this.#world, 'run.list', { limit: 500 });
      const gates = await askAny(this.#world, 'approval.list', { limit: 500, state: 'pending', all: false });
      return runs && gates && { runs, gates };
    } catch (error) {
      this.#world.story.find(`a list failed: ${codeOf(error)} ${(error as Error).message}`);
      return undefined;
    }
  }

  #begin(): void {
    const { machines } = this.#world;
    const nth = this.runs.length;
    const kind = this.#options.kinds[nth % this.#options.kinds.length] as KindName;
    const host = machines[nth % machines.length] as Machine;
    const repo = host.panes.daemon.repo();
    const record: RunRecord = {
      ...{ kind, host, repo, token: randomUUID(), runId: '', state: 'starting', decisions: new Map(), setBack: 0 },
    };
    this.runs.push(record);
    void this.#start(record);
  }

  /** Asked again with the same token until a host has answered. A third of the runs are asked for on another host. */
  async #start(record: RunRecord): Promise<void> {
    const { machines, dice, story } = this.#world;
    const { kind, host, repo, token } = record;
    const { template, backend, words, extra } = KINDS[kind];
    const params = {
      repo: repo.dir,
      template,
      backend,
      requirements: words,
      bind: {},
      dryRun: false,
      clientToken: token,
    };
    const asked = dice.chance(0.33) ? dice.pick(machines) : host;
    let triedAt = 0;
    const tryOnce = async () => {
      if (Date.now() - triedAt < AGAIN_MS) return undefined;
      triedAt = Date.now();
      try {
        const answer = await asked.call('run.start', {
          ...params,
          ...(extra && { extra }),
          ...(asked !== host && { host: host.name }),
        });
        return (answer as { runId: string }).runId;
      } catch (error) {
        if (!AWAY.has(codeOf(error))) throw error;
        story.note(`run.start: ${codeOf(error)}`);
        return undefined;
      }
    };
    try {
      record.runId = await until('a run has begun', tryOnce);
      record.state = 'open';
      story.say('begun', { kind, host: host.name, askedOn: asked.name, runId: record.runId });
    } catch (error) {
      record.state = 'stuck';
      story.find(`${kind} did not begin on ${host.name}, asked on ${asked.name}: ${codeOf(error)} ${error}`);
    }
  }

  async #follow(run: RunRecord, lists: { runs: RpcResult<'run.list'>; gates: ApprovalSummary[] }): Promise<void> {
    if (run.state !== 'open') return;
    const view = lists.runs.find(({ runId }) => runId === run.runId);
    if (!view) return this.#miss(run);
    if (TERMINAL.includes(`run.${view.state}`)) {
      run.state = 'ended';
      this.#world.story.say('ended', { kind: run.kind, runId: run.runId, as: view.state });
      return;
    }
    for (const gate of lists.gates.filter(({ runId }) => runId === run.runId)) decide(this.#world, run, gate);
  }

  /** A database that was set back may never have heard of it. A person then starts another one. */
  async #miss(run: RunRecord): Promise<void> {
    const { runId, kind } = run;
    const isGone = await askAny(this.#world, 'run.get', { runId }).then(
      () => false,
      (error) => codeOf(error) === 'not_found',
    );
    if (!isGone) return;
    run.state = 'lost';
    if (run.setBack === 0) this.#world.story.find(`${kind} ${runId} is not in the log any more`);
    this.#world.story.say('lost', { kind, runId });
  }

  #judgeProgress(lists: unknown): void {
    const seen = JSON.stringify(lists);
    if (!lists || this.isDisturbed || seen !== this.#moved.seen) this.#moved = { at: Date.now(), seen };
    if (Date.now() - this.#moved.at < STUCK_MS) return;
    for (const run of this.open) {
      run.state = 'stuck';
      const view = (lists as { runs: RpcResult<'run.list'> }).runs.find(({ runId }) => runId === run.runId);
      this.#world.story.find(`${run.kind} ${run.runId} of ${run.host.name} is stuck: ${JSON.stringify(view)}`);
    }
  }
}
