import { describe, expect, test } from 'vitest';
import type { CommandRun } from '../../../daemon/core/run/commandRun.ts';
import type { Artifact } from '../../../daemon/core/run/state.ts';
import { alarmsOf } from '../../../daemon/sheet/alarms.ts';
import { checkViews } from '../../../daemon/sheet/checks.ts';
import { saidViews, tellsWork } from '../../../daemon/sheet/said.ts';
import { NO_FACTS } from '../../../daemon/sheet/sheetFacts.ts';
import { walkLines } from '../../../daemon/sheet/walkLines.ts';
import { gate, givenLanes } from '../api/runs/lanes/givenLanes.ts';
import { reviewing } from '../core/support/reviewStory.ts';

const RESULT = { gateKey: 'changes_approved', kind: 'gate', laneId: null, assignment: null } as const;

describe('alarms', () => {
  const codes = (run = givenLanes({}), over = {}, facts = {}) =>
    alarmsOf(run, gate('g', { ...RESULT, ...over }), { ...NO_FACTS, ...facts }).map(({ code }) => code);
  const changed = { subject: { diff: { from: 'a', to: 'b' } } };

  test('say what changed under the gate, and who tried to decide it', () => {
    const refused = [{ sessionId: 's', roleId: 'coder', action: 'approve', at: '2026-01-01T00:00:00.000Z' }];
    expect(codes(givenLanes({}), {}, { moved: 'It moved.', uncommittedFiles: 2, refused })).toEqual([
      'agent_decided',
      'moved',
      'uncommitted',
      'fake',
    ]);
  });

  test('say what devflow could not read', () => {
    expect(codes(givenLanes({}), {}, { unreadable: ['The change cannot be read.'] })).toEqual(['unreadable', 'fake']);
    expect(codes(givenLanes({}), { kind: 'recovery', gateKey: 'recovery' }, { unreadable: ['No.'] })).toContain(
      'unreadable',
    );
  });

  test.each(['review_unconverged', 'review_dispute', 'iterations_exhausted', 'objective_not_met'])(
    'warn of results at %s, where a person takes or leaves work',
    (gateKey) => {
      const { run } = reviewing({});
      const fake = { ...run, bindings: run.bindings.map((each) => ({ ...each, backend: 'fake' as const })) };
      const kind = gateKey.startsWith('review') ? 'gate' : 'recovery';
      const [phase] = run.phases.filter((each) => each.kind === 'review');
      expect(codes(fake, { gateKey, kind, laneId: 'main', phaseId: phase?.id })).toContain('one_backend');
    },
  );

  test('warn of no result where no work is decided', () => {
    const { run } = reviewing({});
    for (const gateKey of ['setup_failed', 'turn_ended', 'session_boundary', 'host_unreachable'])
      expect(codes(run, { gateKey, kind: 'recovery' })).not.toContain('one_backend');
  });

  test('say what a result lacks', () => {
    const notDone = [{ phaseKey: 'build', taskId: 'T2', title: 'Log in', laneId: null, why: 'it ended' }];
    const subject = { notDone, work: { nestedRepositories: ['vendor/x'] }, diff: { from: 'a', to: 'b' } };
    expect(codes(givenLanes({}), { subject })).toEqual([
      'nested',
      'nested',
      'not_done',
      'not_done',
      'not_checked',
      'fake',
    ]);
  });

  test('say that no command checked a change, and nothing where there is no change', () => {
    expect(codes(givenLanes({}), changed)).toContain('not_checked');
    expect(codes()).not.toContain('not_checked');
  });

  test('name a fake agent, one backend, and findings that nobody judged', () => {
    const { run } = reviewing({});
    const fake = { ...run, bindings: run.bindings.map((each) => ({ ...each, backend: 'fake' as const })) };
    const [phase] = run.phases.filter(({ kind }) => kind === 'review');
    expect(codes(fake, { phaseId: phase?.id })).toEqual(expect.arrayContaining(['one_backend', 'fake']));
    expect(codes(run, { phaseId: phase?.id })).not.toContain('fake');
  });
});

describe('what agents say', () => {
  const artifact = (schema: string, over: Partial<Artifact> = {}) =>
    ({ id: 'a', roleId: 'coder', laneId: 'main', schema, ...over }) as Artifact;
  const said = (schema: string, content: unknown) => saidViews([artifact(schema)], new Map([['a', content]]));

  test('is the summary, how to check it, and what is left', () => {
    const content = { summary: 'Done.', howToCheck: ['npm test', 7, ''], followUps: ['Docs'] };
    expect(said('dev/implementation@1', content)).toEqual([
      { roleId: 'coder', laneId: null, artifactId: 'a', summary: 'Done.', howToCheck: ['npm test'], left: ['Docs'] },
    ]);
  });

  test('of a fix is its summary, and what was not fixed', () => {
    const answers = [
      { id: 'F1', action: 'fixed', note: 'yes' },
      { id: 'F2', action: 'disputed', note: 'It is right.' },
      null,
    ];
    expect(said('dev/review-response@1', { summary: 'Fixed.', answers })).toMatchObject([
      { summary: 'Fixed.', left: ['F2 disputed: It is right.'] },
    ]);
  });

  test('is nothing without a summary, whatever the artifact is', () => {
    for (const content of [null, undefined, 'x', [], {}, { summary: 3 }, { summary: ' ' }])
      expect(said('custom/any@1', content)).toEqual([]);
  });

  test('is cut, so that one answer holds it', () => {
    const [view] = said('dev/implementation@1', {
      summary: 'x'.repeat(100_000),
      howToCheck: Array.from({ length: 500 }, () => 'y'.repeat(5_000)),
    });
    expect(JSON.stringify(view).length).toBeLessThan(30_000);
  });

  test.each([
    ['dev/spec@1', false],
    ['dev/dag@1', false],
    ['dev/review-finding-batch@2', false],
    ['tpl/draft@1', false],
    ['dev/implementation@1', true],
    ['dev/review-response@1', true],
    ['bt/hypothesis@1', true],
    ['bt/metrics@1', false],
    ['__proto__@1', true],
    ['mine/work@1', true],
  ])('comes from an artifact of %s: %s', (schema, tells) => {
    expect(tellsWork({ schema })).toBe(tells);
  });
});

describe('checks', () => {
  const command = (nth: number, exitCode: number | null, over: Partial<CommandRun> = {}) =>
    ({
      id: `c${nth}`,
      argv: ['check', String(nth)],
      exitCode,
      reason: exitCode === null ? 'blocked' : null,
      laneId: 'main',
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:00:01.500Z',
      ...over,
    }) as CommandRun;

  test('have the last lines of failures only', () => {
    const tails = new Map([
      ['c1', 'good'],
      ['c2', 'not ok'],
    ]);
    expect(checkViews([command(1, 0), command(2, 1), command(3, null, { tail: 'old' })], tails)).toMatchObject([
      { exitCode: 0, tail: null, ms: 1_500, laneId: null },
      { exitCode: 1, tail: 'not ok' },
      { exitCode: null, reason: 'blocked', tail: 'old' },
    ]);
  });

  test('that failed are kept when there are too many', () => {
    const many = Array.from({ length: 200 }, (_, nth) => command(nth, nth === 150 ? 1 : 0));
    const views = checkViews(many, new Map());
    expect(views).toHaveLength(50);
    expect(views.filter(({ exitCode }) => exitCode === 1)).toHaveLength(1);
  });
});

test.each([null, 3, [], {}, { walk: 1 }, { walk: {}, run: {}, warnings: [null, {}] }])(
  'a rehearsal of another form (%j) is no fault',
  (content) => {
    expect(() => walkLines(content)).not.toThrow();
  },
);
