import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { OutcomeOf } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { possibleOutcomes } from '../../../../daemon/core/rehearse/possibleOutcomes.ts';
import { sampleRun } from '../../../../daemon/core/rehearse/sampleRun.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { rulesAt } from '../../../../daemon/core/rules/rulesAt.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import { composeSheet } from '../../../../daemon/sheet/composeSheet.ts';
import { NO_FACTS } from '../../../../daemon/sheet/sheetFacts.ts';
import type { AutoGate } from '../../../../schemas/gates/autoGates.ts';
import { isOwnGate, type OwnGate } from '../../../../schemas/gates/ownGates.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { editing } from '../edits/givenEdit.ts';
import {
  approve,
  decision,
  dies,
  done,
  failed,
  firstPhaseDone,
  given,
  type Input,
  now,
  pause,
  phaseDone,
  resume,
  type Story,
} from '../support/given.ts';
import { worktreeAt } from '../support/outcomes.ts';
import { goesWell, isAsked, until, untilEnd } from '../support/unattended.ts';

const RULE: AutoGate = { gate: 'spec_approved', if: ['no_open_questions'] };
const atSpec = (autoGates = [RULE]) => given({ template: 'development', autoGates }, ...firstPhaseDone);
const gateOf = ({ run }: Pick<Story, 'run'>) => openGates(run)[0];
const passes = done('checkRule');
const alarmed = done('checkRule', 1);

test('a rule passes the gate as a person would, and the decision says that it did', () => {
  const asked = atSpec().to({ run: 'awaiting_approval' }).decides('checkRule');
  const id = gateOf(asked)?.id ?? '';
  const passed = asked.on(passes).records('approval.resolved', 'phase.completed', 'phase.started');
  expect(passed.latest[0]?.payload).toMatchObject({
    action: 'approve',
    comment: null,
    clientToken: derivedId('rule', id),
    by: { rule: 'spec_approved if no_open_questions', met: ['no_open_questions'] },
  });
  expect(passed.run.approvals[0]?.decision?.by).toEqual({
    rule: 'spec_approved if no_open_questions',
    met: ['no_open_questions'],
  });
  expect(replay([...passed.events])).toEqual(passed.run);
});

test('while a rule is checked the gate waits, and a person may decide first', () => {
  const asked = atSpec();
  expect(waitsFor(asked.run)[0]).toMatchObject({ party: 'person' });
  const late = now(asked, passes);
  const decided = asked.on(approve);
  expect(decided.run.approvals[0]?.decision?.by).toBeUndefined();
  decided.on(late).records();
  atSpec().on(decision('request_changes', 'Shorter.'), late).records();
});

test('what stops a rule is recorded once, and the gate is the person’s', () => {
  const stopped = atSpec().on(alarmed).records('approval.rule_checked').decides();
  expect(gateOf(stopped)).toMatchObject({ state: 'pending', rule: { why: ['A fake agent took part.'] } });
  const decided = stopped.on(approve);
  expect(decided.run.approvals[0]?.decision?.by).toBeUndefined();
});

test('reasons that name strange files are kept in a form and a length that the log keeps', () => {
  const strange: Input = (run) => {
    const outcome = now({ run }, passes) as OutcomeOf<'ruleChecked'>;
    const alarms = ['a\0b', '\ud800', 'x'.repeat(5_000), ...Array<string>(100).fill('again')];
    return { ...outcome, facts: { ...outcome.facts, alarms } };
  };
  const why = gateOf(atSpec().on(strange))?.rule?.why ?? [];
  expect(why).toHaveLength(50);
  expect(why.every((each) => each.length <= 1_000 && each.isWellFormed() && !each.includes('\0'))).toBe(true);
});

test('the next gate of this name is checked anew', () => {
  const again = atSpec().on(alarmed, decision('request_changes', 'Shorter.'), ...phaseDone);
  again.decides('checkRule').on(passes).records('approval.resolved', 'phase.completed', 'phase.started');
});

test('a gate that replaces another one is the person’s: no check saw what it shows', () => {
  const checked: AutoGate = { gate: 'changes_approved', if: ['checks_green'] };
  const asked = until(given({ template: 'development', autoGates: [checked] }), isAsked('changes_approved'));
  const overLaterCommit: Input = (run) => ({
    ...(now({ run }, approve) as Extract<Signal, { type: 'decide' }>),
    observed: { commits: ['later'], lostArtifacts: [], worktree: worktreeAt('later') },
  });
  const replaced = asked.on(alarmed).refuses(overLaterCommit, 'changes_under_decision').on(overLaterCommit);
  replaced.records('approval.requested').decides();
  const [gate] = openGates(replaced.run);
  expect(gate?.subject).toMatchObject({ diff: { to: 'later' }, supersedes: [gateOf(asked)?.id] });
  const about = gate && composeSheet(replaced.run, gate, NO_FACTS).about.map(({ text }) => text);
  expect(about).toContain('Your rules do not pass this gate: it replaces an earlier one.');
  for (const first of [[alarmed], []])
    atSpec()
      .on(...first, editing())
      .decides();
});

test('a check that fails leaves the gate to the person', () => {
  for (const code of ['git_failed', 'disk_full', 'host_unreachable', 'internal_state_corruption'] as const) {
    const stopped = atSpec().on(failed('checkRule', code)).records('approval.rule_checked').decides();
    expect(gateOf(stopped)?.rule?.why[0]).toContain('could not be checked');
  }
});

/** The facts are good, but something else is in the worktree now. */
const moved: Input = (run) => {
  const outcome = now({ run }, passes) as OutcomeOf<'ruleChecked'>;
  return { ...outcome, observed: { ...outcome.observed, worktree: worktreeAt('another head', ['a.ts']) } };
};

test('a rule passes nothing that the gate does not show', () => {
  const stopped = atSpec().on(moved).records('approval.rule_checked');
  expect(gateOf(stopped)?.rule?.why[0]).toContain('while the gate spec_approved waited');
});

test('a paused run checks no rule until it goes on', () => {
  const paused = atSpec().on(pause).decides();
  paused.on(resume).decides('checkRule');
});

test('a check that ends while the run is paused decides nothing, and the gate is checked again', () => {
  for (const outcome of [passes, alarmed, failed('checkRule', 'git_failed')]) {
    const asked = atSpec();
    const late = now(asked, outcome);
    const paused = asked.on(pause, late).records().decides();
    paused.on(resume).decides('checkRule').on(passes).records('approval.resolved', 'phase.completed', 'phase.started');
  }
});

test('a run without rules, and gates without one, check none', () => {
  given({ template: 'development' }, ...firstPhaseDone).decides();
  atSpec([{ gate: 'plan_approved', if: ['no_open_questions'] }]).decides();
});

const OWN: Readonly<Record<OwnGate, true>> = {
  contract_drift: true,
  iterations_exhausted: true,
  objective_not_met: true,
  session_boundary: true,
  turn_ended: true,
  delivery_uncertain: true,
  host_unreachable: true,
  setup_failed: true,
  parallel_dag_approved: true,
  writeset_conflict: true,
  merge_conflict: true,
  merge_failed: true,
  base_red: true,
  review_unconverged: true,
  review_dispute: true,
  probes_approved: true,
};

const EVERYTHING: AutoGate[] = [
  ...Object.keys(OWN),
  ...[
    'recovery',
    'cleanup_forced',
    'agent_asks',
    'nested_repository',
    'spec_approved',
    'plan_approved',
    'changes_approved',
  ],
].map((gate) => ({ gate, if: [{ diff_below: 1_000_000 }] }));

/** Each gate that is open on the way to the end, with the answer to its rules. */
function gatesOf(story: Story): { gateKey: string; kind: string; laneId: string | null; hasRule: boolean }[] {
  const seen = new Map<string, { gateKey: string; kind: string; laneId: string | null; hasRule: boolean }>();
  const look = (run: Run) => {
    for (const gate of openGates(run)) {
      const { id, gateKey, kind, laneId } = gate;
      seen.set(id, { gateKey, kind, laneId, hasRule: rulesAt(run, gate).length > 0 });
    }
  };
  until(story, (run) => {
    look(run);
    return run.state === 'completed';
  });
  return [...seen.values()];
}

test('no rule is for recoveries, lanes, conflicts, reviews, iterations, set-ups or anything else that devflow asks itself', () => {
  const recovery = given({ template: 'development', autoGates: EVERYTHING }, ...firstPhaseDone.slice(0, 2)).on(
    ...Array.from({ length: 4 }, () => dies('planner')),
  );
  expect(gateOf(recovery)).toMatchObject({ kind: 'recovery' });
  expect(recovery.run.approvals.flatMap((gate) => rulesAt(recovery.run, gate))).toEqual([]);
  recovery.decides();
  for (const template of ['lanes', 'autodev', 'pipeline'] as const) {
    const gates = gatesOf(given({ template, autoGates: EVERYTHING }));
    const own = gates.filter(({ gateKey }) => isOwnGate(gateKey));
    expect([template, own.filter(({ hasRule }) => hasRule)]).toEqual([template, []]);
    expect(gates.filter(({ kind, laneId, hasRule }) => hasRule && (kind !== 'gate' || laneId !== null))).toEqual([]);
  }
});

test('rules pass all gates of a template, and the run ends without a person', () => {
  const ruled = until(
    given({ template: 'development', autoGates: EVERYTHING }),
    (run) => run.state === 'completed',
    (run) => {
      const check = decide(run).find(({ type }) => type === 'checkRule');
      return check ? now({ run }, passes) : goesWell(run);
    },
  );
  expect(ruled.run.approvals.map(({ decision: made }) => made?.by !== undefined)).toEqual([true, true, true]);
  untilEnd(given({ template: 'development' })).to({ run: 'completed' });
});

test('a rehearsal of a template reaches no rule', () => {
  const { template } = atSpec().run;
  expect(sampleRun(template).autoGates).toBeNull();
  const [effect] = decide(atSpec().run);
  expect(effect?.type).toBe('checkRule');
  expect(effect && possibleOutcomes(effect, atSpec().run)).toEqual([]);
});
