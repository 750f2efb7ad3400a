import { expect, test } from 'vitest';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import { reviewRequest } from '../../../../daemon/kinds/review/requests.ts';
import type { Story } from '../../core/support/given.ts';
import { type LookSeat, type Play, type Reported, reviewIn, reviewing } from '../../core/support/reviewStory.ts';

const LIMIT: Reported = { claim: 'The limit is never reset.' };
const PATH: Reported = { claim: 'A path can leave the directory.', category: 'security' };

const findings = ({ run }: Story) => reviewIn(run).findings;
const states = (story: Story) => findings(story).map(({ state }) => state);
const reasons = ({ run }: Story) => reviewIn(run).rounds.map(({ reason }) => reason);
const byVotes = ({ events }: Story) =>
  events.filter(
    ({ type, payload }) => type === 'finding.verifier_resolved' && 'by' in payload && payload.by === 'votes',
  );

/** Each reviewer claims its own at the same line of the first look. */
const unlike: Play['look'] = ({ scope, roleId }) => (scope === 'full' ? [roleId === 'reviewer#0' ? LIMIT : PATH] : []);

/** What the verdicts prompt says, when it was asked for. */
function verdictPrompt(story: Story, nth = 0): string {
  const phase = phasesOf('review', story.run)[0];
  const asked = phase?.assignments.filter(({ key }) => key.startsWith('verdict-'))[nth];
  if (!phase || !asked) throw new Error('no verifier was asked');
  return String(reviewRequest(story.run, phase, asked).values?.review);
}

test('two backends that claim different things at one line report two findings, which are judged apart', () => {
  const play: Play = { look: unlike, verdict: ({ summary }) => (summary === LIMIT.claim ? 'confirmed' : 'rejected') };
  const story = reviewing(play);
  expect(states(story)).toEqual(['fixed', 'rejected']);
  expect(byVotes(story)).toEqual([]);
  expect(verdictPrompt(story.upTo('review.asked'))).toContain(
    `Perhaps the same defect: ${findings(story)
      .map(({ id }) => id)
      .join(' and ')}`,
  );
});

test('a run with an older behaviour takes them for one finding', () => {
  const story = reviewing({ look: unlike }, {}, { behaviour: 4 });
  expect([states(story), byVotes(story).length]).toEqual([['fixed'], 1]);
});

test('a verifier that joins two claims gives them no vote', () => {
  const many = Array.from({ length: 100 }, (_, nth) => ({ ...LIMIT, line: 10 * (nth + 1) }));
  const look: Play['look'] = ({ scope, roleId }) =>
    scope !== 'full' ? [] : roleId === 'reviewer#0' ? many : [{ ...PATH, line: 10 }];
  let other = '';
  const verdict: Play['verdict'] = ({ line, summary }) =>
    line === 10 && summary === LIMIT.claim ? { duplicateOf: other } : 'rejected';
  other = findings(reviewing({ look, verdict: () => 'rejected' })).at(-1)?.id ?? '';
  const story = reviewing({ look, verdict });
  expect(byVotes(story)).toEqual([]);
  const joined = findings(story).at(-1);
  expect([joined?.id, joined?.state, joined?.reporters.map(({ backend }) => backend)]).toEqual([
    other,
    'rejected',
    ['codex', 'claude'],
  ]);
});

test('what others said of a finding is in the prompts about it, with their evidence', () => {
  const look: Play['look'] = ({ scope, roleId }) =>
    scope === 'full'
      ? [
          {
            claim: roleId === 'reviewer#0' ? 'The limit is never reset' : 'Never resets\nthe limit',
            severity: 'critical',
          },
        ]
      : [];
  const story = reviewing({ look });
  expect(findings(story)).toHaveLength(1);
  expect(verdictPrompt(story)).toContain('\n  also reported as: Never resets the limit (reviewer#1)\n');
});

/** One finding in the first look, and `later` in a later one. */
const after = (later: Reported, isLater: (seat: LookSeat) => boolean): Play['look'] => {
  return (seat) => {
    if (seat.roleId !== 'reviewer#0') return [];
    return seat.scope === 'full' ? [LIMIT] : isLater(seat) ? [later] : [];
  };
};
const isClosing = ({ scope }: LookSeat) => scope === 'closing';

test('another claim at a fixed line does not come back', () => {
  const verdict: Play['verdict'] = ({ summary }) => (summary === LIMIT.claim ? 'confirmed' : 'rejected');
  const story = reviewing({ look: after(PATH, isClosing), verdict, fixed: () => [] });
  expect(states(story)).toEqual(['fixed', 'rejected']);
  expect(findings(story)[0]?.cameBackIn).toEqual([]);
});

test('another claim at a rejected line leaves the finding rejected', () => {
  const look: Play['look'] = (seat) => {
    if (seat.roleId !== 'reviewer#0') return [];
    return seat.scope === 'full' ? [LIMIT, { line: 50 }] : seat.scope === 'delta' ? [PATH] : [];
  };
  const story = reviewing({
    look,
    verdict: ({ line }) => (line === 10 ? 'rejected' : 'confirmed'),
    fixed: () => [{ path: 'a.ts', from: null, isDeleted: false, hunks: [] }],
  });
  expect(states(story)).toEqual(['rejected', 'fixed', 'rejected']);
  expect(findings(story)[0]?.resolutions).toHaveLength(1);
});

const STALE: Reported = { claim: 'Callers see an old counter.' };
/** The verifier says that what is worded otherwise is the finding at this line. */
const sameAs =
  (ids: { first: string }): Play['verdict'] =>
  ({ id, summary }) => {
    if (summary === LIMIT.claim) ids.first = id;
    return summary === LIMIT.claim ? 'confirmed' : { duplicateOf: ids.first };
  };

test('a fixed defect that is reported in other words comes back if a verifier says so', () => {
  const story = reviewing({ look: after(STALE, isClosing), verdict: sameAs({ first: '' }), fixed: () => [] });
  expect(states(story)).toEqual(['confirmed', 'duplicate']);
  expect(findings(story)[0]?.cameBackIn).toEqual([3]);
  expect(openGates(story.run)[0]?.subject.reason).toContain('came back');
  expect(findings(story)[0]?.history.at(-1)).toMatchObject({ what: 'came_back', by: 'verifier' });
});

test('a defect that a verifier still sees is not fixed, whatever the reviewers say', () => {
  const story = reviewing({ look: after(STALE, ({ round }) => round === 2), verdict: sameAs({ first: '' }) });
  expect(reasons(story)).toEqual(['full', 'delta', 'delta', 'closing']);
  expect(states(story)).toEqual(['fixed', 'duplicate']);
  expect(findings(story)[0]?.cameBackIn).toEqual([]);
  expect(findings(story)[0]?.history.map(({ what }) => what)).toEqual([
    'reported',
    'confirmed',
    'answered',
    'fixed',
    'confirmed',
    'answered',
    'fixed',
  ]);
});
