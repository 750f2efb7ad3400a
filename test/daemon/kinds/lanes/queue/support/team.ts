import { expect } from 'vitest';
import { nextMerge } from '../../../../../../daemon/kinds/lanes/queue/nextMerge.ts';
import type { Story } from './story.ts';

const MOST_ATTEMPTS = 3;

interface Work {
  laneId: string;
  attempt: number;
  base: string;
  /** How many lanes had landed when `main` was at `base`. */
  landed: number;
}

/** Those who work in the lanes, and somebody else who moves the branch. */
export class Team {
  readonly abandoned: string[] = [];
  readonly attempts = new Map<string, number>();
  foreign = 0;
  private readonly story: Story;
  private readonly unopened: string[];
  private readonly working: Work[] = [];
  private readonly queued = new Map<string, Work>();
  private read = 0;

  constructor(story: Story, laneIds: readonly string[]) {
    this.story = story;
    this.unopened = [...laneIds];
  }

  open(): void {
    const laneId = this.unopened.shift();
    if (laneId !== undefined) this.begin(laneId, 1);
  }

  /** One of those who work is done. What the queue is doing goes on. */
  finish(pick: number): void {
    const [work] = this.working.splice(pick % Math.max(this.working.length, 1), 1);
    if (!work) return;
    const running = nextMerge(this.story.queue);
    this.queued.set(work.laneId, work);
    this.attempts.set(work.laneId, work.attempt);
    this.story.enqueue(work.laneId, work.base, work.attempt);
    if (running.do !== 'nothing') expect(nextMerge(this.story.queue)).toEqual(running);
  }

  /** False if nobody works any more. */
  finishAll(): boolean {
    while (this.unopened.length > 0) this.open();
    const some = this.working.length > 0;
    while (this.working.length > 0) this.finish(0);
    return some;
  }

  moveBranch(): void {
    this.foreign += 1;
    const { performer } = this.story;
    performer.main = performer.repository.commit(performer.main, `foreign-${this.foreign}`);
  }

  /** Repairs what the queue sent back. A fault of its own is repaired where it is, others on the tip of `main`. */
  takeBack(): void {
    for (const entry of this.story.log.slice(this.read)) {
      const work = entry.type === 'ejected' ? this.queued.get(entry.laneId) : undefined;
      if (entry.type !== 'ejected' || !work) continue;
      if (entry.cause === 'interaction') this.checkNames(work, entry.with);
      if (work.attempt === MOST_ATTEMPTS) this.abandoned.push(work.laneId);
      else if (entry.cause === 'own') this.working.push({ ...work, attempt: work.attempt + 1 });
      else this.begin(work.laneId, work.attempt + 1);
    }
    this.read = this.story.log.length;
  }

  private begin(laneId: string, attempt: number): void {
    const { main, landed } = this.story.queue;
    this.working.push({ laneId, attempt, base: main, landed: landed.length });
  }

  /** A lane collides with something that landed since its base, or with what somebody else did. */
  private checkNames({ landed }: Work, names: readonly string[]): void {
    if (this.foreign > 0) return;
    const since = this.story.queue.landed.slice(landed).map(({ laneId }) => laneId);
    expect(since).toEqual(expect.arrayContaining([...names]));
    if (this.story.performer.truth.conflicts.length === 0) expect(names).toHaveLength(1);
  }
}
