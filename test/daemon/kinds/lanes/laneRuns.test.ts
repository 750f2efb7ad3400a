import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Effect, EffectOf } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { laneOf } from '../../../../daemon/core/run/lanes.ts';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { flakyChecks } from '../../../../daemon/kinds/lanes/laneChecks.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import type { Behaviour } from '../../../../schemas/events/run.ts';
import { decision, dies, done, failed, given, type Input, type Story } from '../../core/support/given.ts';
import { worktreeAt } from '../../core/support/outcomes.ts';
import { TEMPLATES } from '../../core/support/templates.ts';
import { goesWell, isAsked, redMerge, until, untilDue, untilEnd } from '../../core/support/unattended.ts';

const lanes = (template: Template = TEMPLATES.lanes) => given({ template, behaviour: 3 });

const buildOf = ({ run }: Pick<Story, 'run'>) => phasesOf('lanes', run).find(({ key }) => key === 'build');

test('the checks of a lane that a person ends do not go on', () => {
  const asked = untilDue('runCommand', lanes()).on(failed('runCommand', 'disk_full'));
  const ended = asked.on(decision('reject', 'Not worth it.'));
  const [gate] = openGates(asked.run);
  const commandsOf = ({ run }: Story) => run.commands.filter(({ laneId }) => laneId === gate?.laneId);
  expect(commandsOf(untilEnd(ended)).map(({ state }) => state)).toEqual(['failed']);
});

describe('a check of a task that fails', () => {
  /** The next check in a lane ends so; until one is due, all goes well. */
  const nextEnds = (story: Story, how: { exitCode: number | null; reason?: string }): Story => {
    const due = until(story, (run) => decide(run).some((effect) => isLaneCheck(effect)));
    return due.on((run) => {
      const effect = decide(run).find(isLaneCheck);
      const { exitCode, reason = `exit ${exitCode}` } = how;
      return { type: 'commandEnded', commandId: effect?.commandId ?? '', exitCode, ok: exitCode === 0, reason };
    });
  };
  const isLaneCheck = (effect: Effect): effect is EffectOf<'runCommand'> =>
    effect.type === 'runCommand' && effect.laneId !== undefined;
  const newest = (behaviour: Behaviour = 5) => given({ template: TEMPLATES.lanes, behaviour });
  const repairs = ({ run }: Story) => buildOf({ run })?.assignments.flatMap(({ because }) => because ?? []);
  const checksOf = ({ run }: Story) => run.commands.filter(({ laneId }) => laneId !== 'main');

  test('once sends nobody back', () => {
    const passed = nextEnds(nextEnds(newest(), { exitCode: 1 }), { exitCode: 0 });
    passed.records('command.completed', 'lane.finished', 'merge.enqueued');
    expect(repairs(passed)).toEqual([]);
    const phase = buildOf(passed);
    const [check] = checksOf(passed);
    if (!phase || !check) throw new TypeError('a lane has a check');
    expect(flakyChecks(passed.run, phase, laneOf(passed.run, check.laneId))).toEqual([['npm', 'test']]);
    expect(untilEnd(passed).run.state).toBe('completed');
  });

  test('twice is repaired', () => {
    const failed = nextEnds(nextEnds(newest(), { exitCode: 1 }), { exitCode: 1 });
    expect(repairs(failed)).toEqual([expect.stringMatching(/^lane-\d\.checks-1$/)]);
    const [first, second] = checksOf(failed);
    expect(second?.id).not.toBe(first?.id);
    expect(untilEnd(failed).run.state).toBe('completed');
  });

  test.each([{ exitCode: 127 }, { exitCode: null, reason: 'blocked by policy: it discards work' }])(
    'for sure is repaired at once: %o',
    (how) => {
      expect(repairs(nextEnds(newest(), how))).toHaveLength(1);
    },
  );

  test('in an older run is repaired at once', () => {
    expect(repairs(nextEnds(newest(4), { exitCode: 1 }))).toHaveLength(1);
  });
});

test('an artifact from before a request for changes does not answer it', () => {
  const built = untilDue(
    'commitWork',
    until(lanes(), ({ lanes: all }) => all.length > 1),
  );
  const asked = built.on(failed('commitWork', 'disk_full'));
  const again = asked.on(decision('request_changes', 'Write less.', 'token 1'));
  const lost = until(again, (run) => openGates(run).length > 0, dies('implementer'));
  const retried = lost.on(decision('approve', null, 'token 2'));
  expect(buildOf(retried)?.assignments[0]).toMatchObject({ status: 'to_prompt', changeRequest: 'Write less.' });
});

/** No merge with a lane passes its checks, and agents that must repair their lane change nothing. */
function nobodyRepairs(run: Run): Outcome | Signal {
  const red = redMerge(run);
  if (red) return red;
  const next = goesWell(run);
  if (next.type !== 'workCommitted' || !next.part?.assignment.includes('#fix')) return next;
  const { laneId } = buildOf({ run })?.assignments.find(({ key }) => key === next.part?.assignment) ?? {};
  const head = run.lanes.find(({ id }) => id === laneId)?.head ?? '';
  const work = { commit: null, files: 0, insertions: 0, deletions: 0 };
  return { ...next, work, part: { ...next.part, head } };
}

test('a lane that its agent did not change can come back to the merge queue', () => {
  const { events } = until(lanes(), isAsked('merge_failed'), nobodyRepairs);
  const keys = events.map(({ idempotencyKey }) => idempotencyKey);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test('devflow looks for overlaps in a new plan, although lanes of the earlier plan have landed', () => {
  const { phases, ...rest } = TEMPLATES.lanes;
  const [plan, build, verify] = phases;
  const template = Template.parse({ ...rest, phases: [plan, build, { ...build, key: 'rebuild' }, verify] });
  const built = until(lanes(template), (run) => run.phases[1]?.state === 'completed');
  const asked = untilDue('findOverlaps', built).on(done('findOverlaps', 1));
  const planned = asked.on(decision('request_changes', 'Cut it otherwise.', 'token 1'));
  until(planned, ({ phases: [, again] }) => again?.state === 'running').decides('findOverlaps');
});

test('lanes open on the commit that a person approved', () => {
  const head = 'commit of a person';
  const approve =
    (clientToken: string): Input =>
    (run) => {
      const approvalRequestId = openGates(run)[0]?.id ?? '';
      const observed = { worktree: worktreeAt(head), commits: [head], lostArtifacts: [] };
      return { type: 'decide', approvalRequestId, action: 'approve', comment: null, clientToken, observed };
    };
  const asked = until(lanes(), (run) => openGates(run).length > 0);
  const { run } = until(asked.on(approve('token 1'), approve('token 2')), ({ lanes: all }) => all.length > 1);
  expect(run.lanes[1]?.base).toBe(head);
});

interface PlannedTask {
  id: string;
  dependsOn: string[];
  writeSet: string[];
}

/** All goes well, and the planner writes this plan in place of its own. */
const planning =
  (change: (tasks: PlannedTask[]) => PlannedTask[]): Input =>
  (run) => {
    const next = goesWell(run);
    if (next.type !== 'artifactFound' || !next.verdict.valid || next.verdict.data === undefined) return next;
    const { tasks, ...plan } = next.verdict.data as { tasks: PlannedTask[] };
    return { ...next, verdict: { ...next.verdict, data: { ...plan, tasks: change(tasks) } } };
  };

test('a foundation lands before the tasks on it, which then work side by side', () => {
  const names = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'];
  const planned = planning(([foundation]) => {
    if (!foundation) throw new TypeError('the plan has a task');
    return [
      foundation,
      ...names.map((id) => ({ ...foundation, id, dependsOn: [foundation.id], writeSet: [`${id}/**`] })),
    ];
  });
  const { phases, ...rest } = TEMPLATES.lanes;
  const wide = phases.map((phase) => (phase.lanes ? { ...phase, lanes: { ...phase.lanes, max: 8 } } : phase));
  const begun = until(
    lanes(Template.parse({ ...rest, phases: wide })),
    (run) => buildOf({ run })?.dag?.tasks.every(({ state }) => state !== 'waiting') ?? false,
    planned,
  );
  const states = buildOf(begun)?.dag?.tasks.map(({ state }) => state);
  expect(states).toEqual(['landed', ...names.map(() => 'started')]);
  expect(new Set(buildOf(begun)?.dag?.tasks.map(({ laneId }) => laneId)).size).toBe(7);
});

test('requested changes are a task of their own, whatever the tasks of the plan are called', () => {
  const named = planning((tasks) => tasks.map((task) => (task.id === 'D' ? { ...task, id: 'changes-2' } : task)));
  const asked = until(lanes(), isAsked('changes_approved'), named);
  const end = untilEnd(asked.on(decision('request_changes', 'Rename it.', 'token 1')));
  expect(buildOf(end)?.dag?.tasks.map(({ state }) => state)).toEqual(Array(5).fill('landed'));
});
