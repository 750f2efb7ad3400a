import { expect } from 'vitest';
import { acceptedOf, redToAccept } from '../../../../../../daemon/kinds/lanes/queue/acceptedRed.ts';
import { nextMerge } from '../../../../../../daemon/kinds/lanes/queue/nextMerge.ts';
import type { MergeStep, Queue } from '../../../../../../daemon/kinds/lanes/queue/queue.ts';
import { Performer, type Truth } from './performer.ts';
import { type Entry, queueOf } from './record.ts';

export const BASE = 'base';
const MOST_STEPS = 200;

/** A merge queue in a test, with the lanes that come to it. */
export class Story {
  readonly log: Entry[] = [];
  readonly steps: MergeStep[] = [];
  readonly performer: Performer;

  private readonly batch: number;

  private readonly searches: boolean;

  constructor(
    truth: Partial<Truth>,
    { batch, checks = 'npm test', searches = true }: { batch: number; checks?: string; searches?: boolean },
  ) {
    const all: Truth = { rules: [], conflicts: [], flaky: () => [], atConflict: 'cut', ...truth };
    this.performer = new Performer(BASE, all, checks);
    this.batch = batch;
    this.searches = searches;
  }

  /** The queue after a restart at this point. */
  get queue(): Queue {
    return queueOf({ main: BASE, batch: this.batch, checks: this.performer.checks, searches: this.searches }, this.log);
  }

  /** A change of a lane on `base` is queued. The change is the id of the lane and the number of the try. */
  enqueue(laneId: string, base = this.queue.main, attempt = 1): void {
    const head = this.performer.repository.commit(base, `${laneId}@${attempt}`);
    this.log.push({ type: 'enqueued', lane: { laneId, head, base } });
  }

  /** All lanes that were queued until now are in time for the next step. */
  endStep(): void {
    this.log.push({ type: 'moved', main: this.queue.main });
  }

  /** Does the next step. `kill`: before or after its work, and before its outcome is recorded. */
  step(kill?: 'before' | 'after'): MergeStep {
    const step = nextMerge(this.queue);
    this.steps.push(step);
    if (kill === 'before') return step;
    const entry = this.perform(step);
    if (entry && kill === undefined) this.log.push(entry);
    return step;
  }

  /** Does all steps until the queue is empty, and tells them. */
  settle(): string[] {
    const told: string[] = [];
    for (let step = this.step(); step.do !== 'nothing'; step = this.step()) {
      told.push(told.length < MOST_STEPS ? textOf(step) : expect.fail(`no end after: ${told.join(', ')}`));
    }
    return told;
  }

  private perform(step: MergeStep): Entry | undefined {
    switch (step.do) {
      case 'nothing':
        return undefined;
      case 'test': {
        const outcome = this.performer.test(step);
        if (outcome.type === 'tested') return outcome;
        if (step.onConflict) return this.perform(step.onConflict);
        return { type: 'ejected', laneId: outcome.laneId, cause: 'conflict', with: [] };
      }
      case 'land': {
        const { from, to, lanes, flaky } = step;
        if (this.performer.land(from, to) === 'raced') return { type: 'moved', main: this.performer.main };
        return { type: 'landed', from, to, lanes, flaky };
      }
      case 'eject':
        return { type: 'ejected', laneId: step.laneId, cause: step.cause, with: step.with };
      case 'askBaseRed': {
        const red = acceptedOf(redToAccept(this.queue, step), { compares: this.searches });
        return { type: 'accepted', red };
      }
    }
  }
}

function textOf(step: MergeStep): string {
  switch (step.do) {
    case 'nothing':
      return 'nothing';
    case 'test':
      return [step.nth === 1 ? 'test' : 'again', step.base, ...step.lanes.map(({ head }) => head)].join(' ');
    case 'land':
      return ['land', ...step.lanes, ...step.flaky.map((laneId) => `(${laneId} flaky)`)].join(' ');
    case 'eject':
      return [step.laneId, step.cause, ...step.with].join(' ');
    case 'askBaseRed':
      return `base red ${step.failed.join(' ')}`;
  }
}
