import { expect } from 'vitest';
import { failuresThatCount } from '../../../../../../daemon/kinds/lanes/queue/acceptedRed.ts';
import type { MergeStep, Queue, WaitingLane } from '../../../../../../daemon/kinds/lanes/queue/queue.ts';
import { stepsOfMain } from '../../../../../../daemon/kinds/lanes/queue/stepsOfMain.ts';
import { applies } from './oracle.ts';
import type { Performer } from './performer.ts';

type Step<D extends MergeStep['do']> = Extract<MergeStep, { do: D }>;

/** The checks that really fail at a commit and that no person accepted. */
function red(queue: Queue, performer: Performer, commit: string): number[] {
  const failed = performer.failing(commit);
  return failuresThatCount(queue, { failed, results: performer.results(commit, failed) });
}

/** What may never happen, at the step that the queue wants. */
export function checkStep(queue: Queue, step: MergeStep, performer: Performer): void {
  if (step.do === 'test') checkTest(queue, step, performer);
  if (step.do === 'land') checkLanding(queue, step, performer);
  if (step.do === 'eject') checkEjection(queue, step, performer);
  if (step.do === 'askBaseRed') expect(red(queue, performer, queue.main)).not.toEqual([]);
}

/** No run of a known merge is asked for again, and only a suspect or a red base gets a second run. */
function checkTest(queue: Queue, { base, lanes, nth }: Step<'test'>, { repository }: Performer): void {
  const wanted = lanes.reduce((onto, { head }) => repository.merge(onto, head), base);
  const known = queue.tests.filter((test) => test.commit === wanted);
  expect(known.map((test) => test.nth)).not.toContain(nth);
  if (nth === 1) return;
  expect(nth).toBe(2);
  expect(lanes.length).toBeLessThanOrEqual(1);
  const tree = repository.treeOf(wanted);
  expect(queue.tests.some((test) => test.tree === tree && test.failed.length > 0)).toBe(true);
}

/** `main` goes from its tip to a green tree with exactly these lanes. */
function checkLanding(queue: Queue, { from, to, lanes }: Step<'land'>, performer: Performer): void {
  expect(from).toBe(queue.main);
  expect(red(queue, performer, to)).toEqual([]);
  const heads = queue.waiting.slice(0, lanes.length);
  expect(heads.map(({ laneId }) => laneId)).toEqual(lanes);
  for (const head of [from, ...heads.map((lane) => lane.head)]) {
    expect(performer.repository.contains(to, head)).toBe(true);
  }
}

/** Only a guilty lane is sent back, for the true cause, and from a green `main`. */
function checkEjection(queue: Queue, step: Step<'eject'>, performer: Performer): void {
  const { repository, truth } = performer;
  const lane = queue.waiting.find(({ laneId }) => laneId === step.laneId) as WaitingLane;
  expect(red(queue, performer, queue.main)).toEqual([]);
  const merged = repository.merge(queue.main, lane.head);
  const together = red(queue, performer, merged);
  const alone = red(queue, performer, lane.head).filter((check) => together.includes(check));
  expect(together).not.toEqual([]);
  expect(step.cause).toBe(alone.length > 0 ? 'own' : 'interaction');
  expect(step.failed.some((check) => together.includes(check))).toBe(true);
  const changes = repository.changesOf(merged);
  const broken = truth.rules.filter((rule) => together.includes(rule.check) && applies(rule, changes));
  expect(broken.some(({ needs }) => needs.includes(lane.head))).toBe(true);
  if (step.cause === 'interaction') checkNames(queue, step, lane, performer);
}

/** The lane begins to fail with the one that is named. Several are named only if it conflicts somewhere in between. */
function checkNames(queue: Queue, step: Step<'eject'>, lane: WaitingLane, performer: Performer): void {
  const { repository, truth } = performer;
  const isSure = queue.tests.every(({ commit, failed }) => `${failed}` === `${performer.failing(commit)}`);
  if (!isSure || truth.conflicts.length > 0) return;
  const steps = stepsOfMain(queue, lane.base);
  if (!steps) return;
  const last = steps.findLastIndex(({ lanes }) => `${lanes}` === `${step.with}`);
  const fails = (base = lane.base) =>
    red(queue, performer, repository.merge(base, lane.head)).some((check) => step.failed.includes(check));
  const isFound = (at: number) => fails(steps[at]?.commit) && !fails(steps[at - 1]?.commit);
  expect(step.with.length > 0 ? isFound(last) : steps.some((_, at) => isFound(at))).toBe(true);
}
