import { isMap } from '../../document/fields.ts';
import { checkTestResults } from '../check/checkParts.ts';
import { checkRecordedPlan } from '../check/checkPlan.ts';
import { requireValid } from '../check/requireState.ts';
import type { CycleState, PlanTask } from '../state/cycleState.ts';
import { nextVersion } from '../state/version.ts';
import type { GivenTask, Payloads } from './cycleEvent.ts';
import { ownerOf } from './owner.ts';

export function requirementsUpdated(
  state: CycleState,
  event: Payloads['requirements.updated'],
  at: string,
): CycleState {
  ownerOf('requirements', event.agent);
  const { specification, edge_cases = [] } = event;
  const requirements = {
    ...state.requirements,
    version: nextVersion(state.requirements?.version, state.current_iteration),
    // The document is UTF-8, which has no half pairs.
    specification: specification.toWellFormed(),
    edge_cases: edge_cases.map((each) => each.toWellFormed()),
    last_updated: at,
  };
  return { ...state, requirements };
}

export function explorationUpdated(state: CycleState, event: Payloads['exploration.updated'], at: string): CycleState {
  ownerOf('exploration', event.agent);
  const { architecture_summary, integration_points = [], identified_risks = [] } = event;
  const version = nextVersion(state.exploration?.version, state.current_iteration);
  const exploration = { ...state.exploration, version, architecture_summary, integration_points, identified_risks };
  return { ...state, exploration: { ...exploration, last_updated: at } };
}

export function planUpdated(state: CycleState, event: Payloads['plan.updated'], at: string): CycleState {
  ownerOf('plan', event.agent);
  const { tasks, total_estimated_effort, critical_path = [] } = event;
  const version = nextVersion(state.plan?.version, state.current_iteration);
  const plan = { ...state.plan, version, tasks: tasks.map(withDefaults), total_estimated_effort, critical_path };
  return { ...state, plan: requireValid('The plan', { ...plan, last_updated: at }, checkRecordedPlan) };
}

export function testsRecorded(state: CycleState, event: Payloads['tests.recorded'], at: string): CycleState {
  ownerOf('test_results', event.agent);
  const { pass_rate, coverage, failed_tests = [], total_tests } = event;
  const version = nextVersion(state.test_results?.version, state.current_iteration);
  const results = { ...state.test_results, version, pass_rate, coverage, failed_tests, total_tests, last_run: at };
  return { ...state, test_results: requireValid('The test result', results, checkTestResults) };
}

/** A task that is no object stays as it is, and the contract refuses it. */
function withDefaults(task: GivenTask): PlanTask {
  if (!isMap(task)) return task as never;
  const { depends_on = [], status = 'pending', files = [] } = task as GivenTask;
  return { ...task, depends_on, status, files } as PlanTask;
}
