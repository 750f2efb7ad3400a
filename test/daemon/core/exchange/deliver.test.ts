import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { acceptedHeads } from '../../../../daemon/core/run/acceptedHeads.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { done, given, type Input, type Story } from '../support/given.ts';
import { errorRecord } from '../support/outcomes.ts';
import { untilEnd } from '../support/unattended.ts';

const delivered = done('deliverFiles');
const nothingToCommit = done('deliverFiles', 1);
const ended = (template: 'devCycle' | 'autodev' | 'pipeline') => untilEnd(given({ template }));
const due = ({ run }: Story) => decide(run).map(({ type }) => type);
const effectOf = (run: Run) => {
  const effect = decide(run).find(({ type }) => type === 'deliverFiles');
  if (effect?.type !== 'deliverFiles') throw new TypeError('nothing is delivered');
  return effect;
};
const failing: Input = (run) => ({ type: 'effectFailed', key: effectOf(run).key, error: errorRecord('disk_full') });

test.each(['devCycle', 'autodev', 'pipeline'] as const)(
  'CS-53 AD-34 HC-8.5 a completed run of %s commits its last files before its report is written',
  (template) => {
    const story = ended(template).to({ run: 'completed' });
    expect(due(story)).toEqual(['disposeSessions', 'deliverFiles']);
    const { files, since } = effectOf(story.run);
    expect(files).toEqual(story.run.exchange?.files);
    const over = story.on(delivered).records('run.delivered');
    expect(due(over)).toEqual(['disposeSessions', 'composeReport']);
    expect(over.run).toMatchObject({ state: 'completed', lastCommit: `end of ${since}`, delivered: { reason: null } });
    expect(acceptedHeads(over.run).at(0)?.commit).toBe(`end of ${since}`);
    expect(over.run.exchange).toEqual(story.run.exchange);
    expect(replay(over.events)).toEqual(over.run);
    expect(over.on({ type: 'filesDelivered', commit: 'late', onto: since, ignored: [] }).latest).toEqual([]);
  },
);

test('CS-53 a run that fails or is aborted says so in its branch, too', () => {
  const story = given({ template: 'devCycle' }).on(done('lockBindings'), { type: 'abort', reason: 'No.' });
  expect(Object.values(effectOf(story.run).files).join()).toContain('"failed"');
});

test('CS-53 nothing to commit is no new commit', () => {
  const story = ended('devCycle');
  const { since } = effectOf(story.run);
  expect(story.on(nothingToCommit).run).toMatchObject({ lastCommit: since, delivered: { commit: since } });
});

test('CS-53 on top of a commit that nobody approved, the last files approve nothing', () => {
  const story = ended('devCycle');
  const before = acceptedHeads(story.run);
  const over = story.on({ type: 'filesDelivered', commit: 'last', onto: 'of somebody', ignored: [] });
  expect(over.run.delivered).toMatchObject({ commit: 'last' });
  expect(acceptedHeads(over.run)).toEqual(before);
});

test('CS-53 a file that something is in the way of is named', () => {
  const story = ended('devCycle');
  const { since } = effectOf(story.run);
  const over = story.on({ type: 'filesDelivered', commit: 'last', onto: since, ignored: [], reason: 'no a.md' });
  expect(over.run).toMatchObject({ lastCommit: 'last', delivered: { commit: 'last', reason: 'no a.md' } });
});

test('CS-53 a run whose files cannot be committed ends all the same, and says why', () => {
  const over = ended('devCycle').on(failing).records('run.delivered');
  expect(over.run).toMatchObject({ state: 'completed', delivered: { commit: null, reason: 'it was disk_full' } });
  expect(due(over)).toEqual(['disposeSessions', 'composeReport']);
});

describe('no files are delivered', () => {
  test.each([
    ['of a run without an exchange', given({ template: 'withoutPlan' })],
    ['of an older run', given({ template: 'devCycle', behaviour: 5 })],
  ])('%s', (_, story) => expect(due(untilEnd(story))).toEqual(['disposeSessions', 'composeReport']));

  test('before the branch is there', () => {
    expect(due(given({ template: 'devCycle' }, { type: 'abort', reason: 'No.' }))).not.toContain('deliverFiles');
  });

  test('while the run goes on', () => {
    const outcome = {
      type: 'filesDelivered' as const,
      commit: 'early',
      onto: 'base0000',
      ignored: [],
    } satisfies Outcome;
    expect(given({ template: 'devCycle' }, done('lockBindings'), outcome).latest).toEqual([]);
  });
});
