import { describe, expect, test } from 'vitest';
import { replay } from '../../../../daemon/core/replay.ts';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import { reviewRules } from '../../../../daemon/kinds/review/kind.ts';
import { reviewRequest } from '../../../../daemon/kinds/review/requests.ts';
import type { ChangedFile } from '../../../../schemas/place/place.ts';
import type { Story } from '../../core/support/given.ts';
import {
  type Judged,
  type LookSeat,
  type Play,
  playOn,
  type Reported,
  reviewIn,
  reviewing,
} from '../../core/support/reviewStory.ts';
import { until } from '../../core/support/unattended.ts';

const rounds = ({ run }: Story) => reviewIn(run).rounds.map(({ reason, outcome }) => [reason, outcome]);
const states = ({ run }: Story) => reviewIn(run).findings.map(({ state }) => state);
const gates = ({ run }: Story) => openGates(run).map(({ gateKey }) => gateKey);
const looked = ({ events }: Story) => events.filter(({ type }) => type === 'review.batch_recorded').length;
/** Notes who was asked. */
function answered(asked: string[], roleId: string, verdict: Judged): Judged {
  asked.push(roleId);
  return verdict;
}

const isFull = ({ scope }: { scope: string }) => scope === 'full';

describe('a change passes', () => {
  test('if nobody finds anything', () => {
    const story = reviewing({});
    expect(rounds(story)).toEqual([['full', 'pass']]);
    expect(looked(story)).toBe(2);
    expect(replay(story.events)).toEqual(story.run);
  });

  test('after a fix, a look at the fix and a closing look of one reviewer', () => {
    const story = reviewing({ look: (seat) => (isFull(seat) ? [{}] : []) });
    expect(rounds(story)).toEqual([
      ['full', 'again'],
      ['delta', 'again'],
      ['closing', 'pass'],
    ]);
    expect(states(story)).toEqual(['fixed']);
    expect(reviewIn(story.run).findings[0]?.history.at(-1)).toMatchObject({
      what: 'fixed',
      by: 'reviewer#0, reviewer#1',
    });
    expect(looked(story)).toBe(5);
    expect(story.run.lanes.slice(1).map(({ state }) => state)).toEqual(['closed', 'closed', 'closed']);
  });

  test('with findings below the bar, which nobody fixes', () => {
    const story = reviewing({ look: () => [{ severity: 'low' }] });
    expect(rounds(story)).toEqual([['full', 'pass']]);
    expect(states(story)).toEqual(['unverified']);
  });

  test('with a defect that is older than the change', () => {
    expect(rounds(reviewing({ look: () => [{ preExisting: true }] }))).toEqual([['full', 'pass']]);
  });

  test('only after one more look, if it is large and nobody finds anything', () => {
    const story = reviewing({ changedLines: 101 });
    expect(rounds(story)).toEqual([['full', 'pass']]);
    expect(looked(story)).toBe(3);
    expect(story.events.filter(({ type }) => type === 'review.prepared')).toHaveLength(2);
  });

  test('again without another look, if the phase begins again at the same commit', () => {
    const before = until(reviewing({}), (run) => openGates(run).length > 0);
    const [gate] = openGates(before.run);
    const decision = { approvalRequestId: gate?.id ?? '', comment: 'Shorter.', clientToken: 't' };
    const again = playOn(before.on({ type: 'decide', action: 'request_changes', ...decision }), { fixes: () => false });
    expect(looked(again)).toBe(2);
    expect(rounds(again)).toEqual([
      ['full', 'pass'],
      ['changes_requested', 'again'],
      ['delta', 'again'],
      ['closing', 'pass'],
    ]);
    const phase = phasesOf('review', again.run)[0];
    if (!phase) throw new Error('no review');
    const asked = phase.assignments.map((each) => [each.key, reviewRequest(again.run, phase, each).changeRequest]);
    expect(asked.filter(([, wanted]) => wanted !== null)).toEqual([['fix-2', 'Shorter.']]);
    const retry = { nth: 3, cause: 'retry', changeRequest: 'Shorter.' } as const;
    expect(reviewRules.begin(again.run, phase, retry).review?.changeRequest).toBeNull();
  });
});

test('so many findings that no answer has room for all are judged and fixed in parts', () => {
  const many = Array.from({ length: 150 }, (_, nth) => ({
    line: 10 * (nth + 1),
    severity: nth === 149 ? ('critical' as const) : ('high' as const),
  }));
  const story = reviewing({ look: ({ scope, roleId }) => (isFull({ scope }) && roleId === 'reviewer#0' ? many : []) });
  const [first] = reviewIn(story.run).rounds;
  expect(first?.asks.map(({ what, findings }) => [what, findings.length])).toEqual([
    ['verdict', 100],
    ['verdict', 50],
    ['fix', 100],
  ]);
  const critical = reviewIn(story.run).findings.find(({ severity }) => severity === 'critical');
  expect(first?.asks.at(-1)?.findings[0]).toBe(critical?.id);
});

describe('a finding is true', () => {
  test('if two backends report it', () => {
    const story = reviewing({ look: (seat) => (isFull(seat) ? [{}] : []), verdict: () => 'rejected' });
    expect(states(story)).toEqual(['fixed']);
    expect(story.events.some(({ type }) => type === 'review.verdict_recorded')).toBe(false);
  });

  test('not by two personas of one backend', () => {
    const one = { 'reviewer#0': 'fake', 'reviewer#1': 'fake' } as const;
    const story = reviewing({ look: (seat) => (isFull(seat) ? [{}] : []), verdict: () => 'rejected' }, one);
    expect(states(story)).toEqual(['rejected']);
  });

  test('not by votes alone if it is critical', () => {
    const asked: string[] = [];
    const look: Play['look'] = (seat) => (isFull(seat) ? [{ severity: 'critical' }] : []);
    reviewing({ look, verdict: (_, roleId) => answered(asked, roleId, 'confirmed') });
    expect(asked).toEqual(['verifier']);
  });

  test('if its command fails, and not if it passes or cannot run', () => {
    const look: Play['look'] = (seat) =>
      isFull(seat) && seat.roleId === 'reviewer#0'
        ? [
            { reproduce: ['npm', 'test', 'fails'] },
            { line: 50, reproduce: ['npm', 'test', 'passes'] },
            { line: 90, reproduce: ['npm', 'test', 'absent'] },
          ]
        : [];
    const command: Play['command'] = ([, , how]) => (how === 'absent' ? 127 : how === 'fails' ? 1 : 0);
    const story = reviewing({ look, command, verdict: () => 'rejected' });
    expect(states(story)).toEqual(['fixed', 'rejected', 'rejected']);
  });

  test('if its quote is nowhere, it counts only from high on', () => {
    const look: Play['look'] = (seat) =>
      isFull(seat) && seat.roleId === 'reviewer#0'
        ? [
            { isAnchored: false, severity: 'medium' },
            { isAnchored: false, line: 50, severity: 'high' },
          ]
        : [];
    expect(states(reviewing({ look }))).toEqual(['unverified', 'fixed']);
  });
});

test('a command that is no check of the person does not run', () => {
  const ran: string[] = [];
  const command: Play['command'] = (argv) => {
    ran.push(argv.join(' '));
    return 0;
  };
  const reproduce = ['curl', 'http://example.org'];
  const look: Play['look'] = (seat) => (isFull(seat) && seat.roleId === 'reviewer#0' ? [{ reproduce }] : []);
  expect(states(reviewing({ look, command }))).toEqual(['fixed']);
  expect(ran).not.toContain(reproduce.join(' '));
});

describe('a finding that is settled', () => {
  const once = (seat: LookSeat, found: Reported[]) => (seat.roleId === 'reviewer#0' ? found : []);

  test('is judged again if it is reported as severe later', () => {
    const look: Play['look'] = (seat) =>
      isFull(seat)
        ? once(seat, [{ severity: 'medium' }, { line: 50 }])
        : once(seat, seat.scope === 'closing' ? [{ severity: 'critical' }] : []);
    const verdict: Play['verdict'] = ({ line, severity }) =>
      line === 50 || severity === 'critical' ? 'confirmed' : 'unquoted';
    const story = reviewing({ look, verdict, fixed: () => [] });
    const [judged] = reviewIn(story.run).findings;
    expect(judged?.resolutions.map(({ status }) => status)).toEqual(['rejected', 'confirmed']);
  });

  test('has no votes from before it was rejected', () => {
    const look: Play['look'] = ({ roleId, scope, round }) => {
      if (scope === 'full') return roleId === 'reviewer#0' ? [{}, { line: 50 }] : [];
      return round === 2 && roleId === 'reviewer#1' ? [{}] : [];
    };
    const verdict: Play['verdict'] = ({ line, reporters }) =>
      line === 50 || reporters.length > 1 ? 'confirmed' : 'rejected';
    const play: Play = { look, verdict, fixed: () => [{ path: 'a.ts', from: null, isDeleted: false, hunks: [] }] };
    const [rejected] = reviewIn(reviewing(play).run).findings;
    expect(rejected?.resolutions.map(({ by, status }) => [by, status])).toEqual([
      ['verifier', 'rejected'],
      ['verifier', 'confirmed'],
    ]);
  });

  test('is reported again through a duplicate of a duplicate', () => {
    const look: Play['look'] = (seat) =>
      once(
        seat,
        isFull(seat) ? [{ line: 10 }, { line: 40 }, { line: 70 }] : seat.scope === 'closing' ? [{ line: 70 }] : [],
      );
    const ids = new Map<number, string>();
    const verdict: Play['verdict'] = ({ line, id }) => {
      ids.set(line, id);
      return line === 10 ? 'confirmed' : { duplicateOf: ids.get(line - 30) ?? '' };
    };
    const story = reviewing({ look, verdict, fixed: () => [] });
    expect(reviewIn(story.run).findings.map(({ duplicateOf }) => duplicateOf)).toEqual([null, ids.get(10), null]);
    expect(openGates(story.run)[0]?.subject.reason).toContain('came back');
  });

  test('is not lost if each of two is called a duplicate of the other', () => {
    const play: Play = { look: (seat) => (isFull(seat) ? once(seat, [{ line: 10 }, { line: 60 }]) : []) };
    const ids = reviewIn(reviewing({ ...play, verdict: () => 'cannot_tell' }).run).findings.map(({ id }) => id);
    const verdict: Play['verdict'] = ({ id }) => ({ duplicateOf: ids.find((other) => other !== id) ?? '' });
    expect(states(reviewing({ ...play, verdict }))).toEqual(['duplicate', 'disputed']);
  });

  test.each([
    ['before', 10, 60],
    ['after', 60, 10],
  ])('is not dropped with a milder one that was rejected without a quote %s it', (_, mild, critical) => {
    const look: Play['look'] = (seat) =>
      isFull(seat)
        ? once(
            seat,
            [10, 60].map((line) => ({ line, severity: line === critical ? 'critical' : 'medium' })),
          )
        : [];
    const ids = reviewIn(reviewing({ look, verdict: () => 'cannot_tell' }).run).findings.map(({ line, id }) => ({
      line,
      id,
    }));
    const duplicateOf = ids.find(({ line }) => line === mild)?.id ?? '';
    const verdict: Play['verdict'] = ({ line }) => (line === mild ? 'unquoted' : { duplicateOf });
    const story = reviewing({ look, verdict });
    expect(states(story).toSorted()).toEqual(['disputed', 'duplicate']);
    expect(gates(story)).toEqual(['review_dispute']);
  });

  test('comes back as its own duplicate', () => {
    const look: Play['look'] = (seat) =>
      once(seat, isFull(seat) ? [{ line: 10 }, { line: 60 }] : seat.scope === 'closing' ? [{ line: 60 }] : []);
    let original = '';
    const verdict: Play['verdict'] = ({ line, id }) => {
      if (line === 10) original = id;
      return line === 10 ? 'confirmed' : { duplicateOf: original };
    };
    const story = reviewing({ look, verdict, fixed: () => [] });
    expect(openGates(story.run)[0]?.subject.reason).toContain('came back');
  });
});

describe('a lone critical finding', () => {
  const look: Play['look'] = (seat) => (isFull(seat) && seat.roleId === 'reviewer#0' ? [{ severity: 'critical' }] : []);

  test('is dropped only with a quote that is there', () => {
    expect(states(reviewing({ look, verdict: () => 'rejected' }))).toEqual(['rejected']);
  });

  test('goes to a second verifier, and then to a person', () => {
    const asked: string[] = [];
    const story = reviewing({ look, verdict: (_, roleId) => answered(asked, roleId, 'unquoted') });
    expect(asked).toEqual(['verifier', 'reviewer#1']);
    expect(gates(story)).toEqual(['review_dispute']);
    expect(states(story)).toEqual(['disputed']);
  });

  test('is dismissed or fixed as the person says', () => {
    const play: Play = { look, verdict: () => 'cannot_tell' };
    const asked = reviewing(play);
    const [gate] = openGates(asked.run);
    const decision = { type: 'decide', approvalRequestId: gate?.id ?? '', comment: 'Do.', clientToken: 't' } as const;
    expect(states(playOn(asked.on({ ...decision, action: 'approve' }), play))).toEqual(['rejected']);
    const fixed = playOn(asked.on({ ...decision, action: 'request_changes' }), play);
    expect(states(fixed)).toEqual(['fixed']);
  });
});

test('one defect at its declaration and at its use is one finding, and two defects on one line are two', () => {
  const look: Play['look'] = (seat) => {
    if (!isFull(seat)) return [];
    if (seat.roleId === 'reviewer#0') {
      return [
        { line: 10, symbol: 'limit', claim: 'The limit is never reset.' },
        { line: 30, symbol: 'parse', category: 'security', claim: 'A path can leave the directory.' },
        { line: 30, symbol: 'parse', category: 'correctness', claim: 'An empty name is accepted.' },
      ];
    }
    return [
      { line: 60, symbol: 'limit', claim: 'Callers see a stale limit.' },
      { line: 30, symbol: 'parse', category: 'correctness', claim: 'Accepts an empty name.' },
      { line: 30, symbol: 'parse', category: 'security', claim: 'The path leaves the directory.' },
    ];
  };
  const verdict: Play['verdict'] = (finding) => {
    const declared = found.find(({ line }) => line === 10)?.id ?? '';
    return finding.line === 60 ? { duplicateOf: declared } : 'confirmed';
  };
  let found: { id: string; line: number }[] = [];
  const before = reviewing({ look, verdict: () => 'cannot_tell' });
  found = reviewIn(before.run).findings;
  const story = reviewing({ look, verdict, fixed: () => [] });
  const { findings } = reviewIn(story.run);
  expect(findings.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
  expect(findings.map(({ line, category, state, reporters }) => [line, category, state, reporters.length])).toEqual([
    [10, 'correctness', 'fixed', 2],
    [30, 'security', 'fixed', 2],
    [30, 'correctness', 'fixed', 2],
    [60, 'correctness', 'duplicate', 1],
  ]);
});

test('a fix that moves 40 lines and renames the file keeps the ids, and nothing comes back', () => {
  const moved: ChangedFile = {
    path: 'b.ts',
    from: 'a.ts',
    isDeleted: false,
    hunks: [
      [0, 0, 1, 40],
      [30, 1, 70, 1],
    ],
  };
  const look: Play['look'] = (seat) =>
    isFull(seat)
      ? [{ line: 30 }, { line: 100, severity: 'low', quote: 'same' }]
      : [{ path: 'b.ts', line: 140, severity: 'low', quote: 'same' }];
  const story = reviewing({ look, fixed: (round) => (round === 2 ? [moved] : []) });
  const { findings } = reviewIn(story.run);
  expect(findings.map(({ path, line, state }) => [path, line, state])).toEqual([
    ['b.ts', 70, 'fixed'],
    ['b.ts', 140, 'unverified'],
  ]);
  expect(rounds(story).at(-1)).toEqual(['closing', 'pass']);
});

describe('a person is asked', () => {
  /** Finds this many new defects in each look at a fix, in the lines that it changed. */
  const every = (numbers: readonly number[]): Play => ({
    look: ({ round, scope, roleId }) => {
      if (scope === 'closing' || roleId !== 'reviewer#0') return [];
      return Array.from({ length: numbers[round - 1] ?? 0 }, (_, nth) => ({
        line: 1000 * round + 10 * nth,
        severity: 'medium' as const,
      }));
    },
    fixed: (round) => [{ path: 'a.ts', from: null, isDeleted: false, hunks: [[0, 0, 1000 * round, 900]] }],
  });

  test('after the second fix in a row that brings new findings', () => {
    const story = reviewing(every([3, 2, 3, 2]), {}, { review: { rounds: 9 } });
    expect(gates(story)).toEqual(['review_unconverged']);
    expect(rounds(story)).toEqual([
      ['full', 'again'],
      ['delta', 'again'],
      ['delta', null],
    ]);
  });

  test('when the rounds are used up', () => {
    const present = reviewing(
      { look: (seat) => (isFull(seat) ? [{}] : []), prior: () => 'present' },
      {},
      { review: { rounds: 2 } },
    );
    expect(gates(present)).toEqual(['review_unconverged']);
    expect(openGates(present.run)[0]?.subject.reason).toContain('rounds are used up');
  });

  test('when a fix changes nothing', () => {
    const story = reviewing({ look: (seat) => (isFull(seat) ? [{}] : []), prior: () => 'present', fixes: () => false });
    expect(openGates(story.run)[0]?.subject.reason).toBe('The last fix changed no file.');
    expect(looked(story)).toBe(2);
  });

  test('when a fixed finding comes back', () => {
    const look: Play['look'] = ({ scope }) => (scope === 'delta' ? [] : [{}]);
    const story = reviewing({ look });
    expect(openGates(story.run)[0]?.subject.reason).toContain('came back');
  });

  test('and may let the change pass, or have it fixed once more', () => {
    const play: Play = {
      look: (seat) => (isFull(seat) ? [{}] : []),
      prior: ({ round }) => (round < 4 ? 'present' : 'fixed'),
    };
    const asked = reviewing(play, {}, { review: { rounds: 3 } });
    const [gate] = openGates(asked.run);
    const decision = {
      type: 'decide',
      approvalRequestId: gate?.id ?? '',
      comment: 'Once more.',
      clientToken: 't',
    } as const;
    const accepted = playOn(asked.on({ ...decision, action: 'approve' }), play);
    expect([states(accepted), rounds(accepted).at(-1)]).toEqual([['accepted'], ['delta', 'accepted']]);
    const again = playOn(asked.on({ ...decision, action: 'request_changes' }), play);
    expect(states(again)).toEqual(['fixed']);
    expect(phasesOf('review', again.run)[0]?.state).toBe('completed');
  });
});

test('checks that fail at the reviewed commit are fixed like findings', () => {
  const story = reviewing({ command: (_, round) => (round === 1 ? 1 : 0) }, {}, { review: { checks: 'verify' } });
  expect(rounds(story)).toEqual([
    ['full', 'again'],
    ['delta', 'again'],
    ['closing', 'pass'],
  ]);
});

test('without an implementer the review ends with its findings', () => {
  const roles = ['reviewer', 'verifier'];
  const story = reviewing({ look: () => [{}] }, {}, { roles, review: { bar: 'medium', rounds: 4 } });
  expect(rounds(story)).toEqual([['full', 'findings']]);
  expect([states(story), story.run.state]).toEqual([['confirmed'], 'completed']);
});
