import { expect, test } from 'vitest';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import { reviewRequest } from '../../../../daemon/kinds/review/requests.ts';
import { decision, type Story } from '../../core/support/given.ts';
import { type Play, playOn, reviewIn, reviewing } from '../../core/support/reviewStory.ts';

const states = ({ run }: Story) => reviewIn(run).findings.map(({ state }) => state);
const gates = ({ run }: Story) => openGates(run);

/** So many critical findings that no verifier can judge. */
const disputing = (count: number): Play => ({
  look: ({ scope, roleId }) =>
    scope === 'full' && roleId === 'reviewer#0'
      ? Array.from({ length: count }, (_, nth) => ({
          line: 10 + 50 * nth,
          severity: nth === 0 ? ('high' as const) : ('critical' as const),
        }))
      : [],
  verdict: () => 'cannot_tell',
});

function decided(story: Story, line: number, action: 'approve' | 'request_changes', comment: string): Story {
  const finding = reviewIn(story.run).findings.find((each) => each.line === line);
  const gate = gates(story).find(({ subject }) => (subject.findings as string[]).includes(finding?.id ?? ''));
  if (!gate) throw new Error(`no gate about line ${line}`);
  return story.on({ type: 'decide', approvalRequestId: gate.id, action, comment, clientToken: `t ${line}` });
}

test('a person decides each disputed finding by itself', () => {
  const play = disputing(2);
  const asked = reviewing(play);
  expect(gates(asked).map(({ gateKey, subject }) => [gateKey, subject.open])).toEqual([
    ['review_dispute', ['critical a.ts:60 It is wrong']],
    ['review_dispute', ['high a.ts:10 It is wrong']],
  ]);
  const one = decided(asked, 10, 'approve', 'Cannot happen.');
  expect([states(one), gates(one).length]).toEqual([['rejected', 'disputed'], 1]);
  expect(states(playOn(decided(one, 60, 'request_changes', 'Guard it.'), play))).toEqual(['rejected', 'fixed']);
});

test('a gate about a finding shows what is known of it, and who judged it', () => {
  const [gate] = gates(reviewing(disputing(1)));
  expect(gate?.subject).toMatchObject({
    reason: 'verifier (gemini) and reviewer#1 (codex) could not settle it.',
    details: [
      'quotes: line 10 of a.ts',
      'shows as: It fails.',
      'verifier said disputed: verifier says so.',
      'verifier said disputed: reviewer#1 says so.',
    ],
  });
});

test('a comment about one finding stays with it', () => {
  const play = disputing(2);
  const one = decided(reviewing(play), 10, 'request_changes', 'Guard the first.');
  const story = playOn(decided(one, 60, 'request_changes', 'Guard the second.'), play);
  const phase = phasesOf('review', story.run)[0];
  const fix = phase?.assignments.find(({ key }) => key === 'fix-1');
  if (!phase || !fix) throw new Error('no fix');
  const prompt = String(reviewRequest(story.run, phase, fix).values?.review);
  const [first = '', second = ''] = prompt.split(/^(?=Finding: )/m);
  expect(first).toContain('\n  person said confirmed: Guard the first.');
  expect(second).toContain('\n  person said confirmed: Guard the second.');
  expect([first.includes('second'), second.includes('first'), prompt.includes('A person said')]).toEqual([
    false,
    false,
    false,
  ]);
});

test('ten gates of disputes are open at most, and the others follow', () => {
  const play = disputing(12);
  const asked = reviewing(play);
  expect(new Set(gates(asked).map(({ id }) => id)).size).toBe(10);
  const all = gates(asked).reduce(
    (story, { id }) =>
      story.on({ type: 'decide', approvalRequestId: id, action: 'approve', comment: null, clientToken: id }),
    asked,
  );
  const rest = playOn(all, play);
  expect(gates(rest).map(({ subject }) => subject.open)).toEqual([
    ['critical a.ts:560 It is wrong'],
    ['high a.ts:10 It is wrong'],
  ]);
});

test('a person who rejects one finding ends the run, and its other gates', () => {
  const asked = reviewing(disputing(3));
  const ended = asked.on(decision('reject'));
  expect([ended.run.state, gates(ended)]).toEqual(['failed', []]);
});

test('a run with an older behaviour asks about all of them at once', () => {
  const asked = reviewing(disputing(2), {}, { behaviour: 4 });
  expect(gates(asked).map(({ subject }) => (subject.findings as string[]).length)).toEqual([2]);
});
