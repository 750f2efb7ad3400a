import { shorten } from '../../../text/phrases.ts';
import { isMap, ownValue } from '../../document/fields.ts';
import { EFFORTS, TASK_STATUSES } from '../state/cycleState.ts';
import { PART_CODES, PART_VERSION } from './checkParts.ts';
import type { Findings } from './findings.ts';
import { type AnyObject, checkObject, objectsOf, optional, required } from './objects.ts';
import { ringOf } from './ring.ts';

export const TASK = [
  required('id', 'text'),
  required('description', 'text'),
  required('effort', 'text', { values: EFFORTS }),
  required('depends_on', 'texts'),
  required('status', 'text', { values: TASK_STATUSES }),
  optional('assigned_to', 'text'),
  required('files', 'texts'),
];
export const PLAN = [
  PART_VERSION,
  required('tasks', 'list', { holds: { fields: TASK } }),
  required('total_estimated_effort', 'text'),
  required('critical_path', 'texts'),
  required('last_updated', 'time'),
];

const TASK_CODES = Object.fromEntries(TASK.map(({ name }) => [name, 'CYCLE_PLAN_TASK' as const]));

const USUAL_ID = /^TASK-\d{3,9}$/;

export function checkPlan(findings: Findings, plan: unknown): void {
  checkRecordedPlan(findings, plan);
  const tasks = isMap(plan) ? ownValue(plan, 'tasks') : undefined;
  for (const [index, task] of (Array.isArray(tasks) ? tasks : []).entries()) {
    const id = isMap(task) ? ownValue(task, 'id') : undefined;
    const at = `plan.tasks[${index}].id`;
    if (typeof id === 'string' && id.trim() === '') findings.add('CYCLE_PLAN_TASK', `${at} is empty.`, at);
  }
}

/** The same for a plan that a run has recorded: the id of a task could be empty. */
export function checkRecordedPlan(findings: Findings, plan: unknown): void {
  if (!isMap(plan)) return;
  checkObject(findings, 'plan', PLAN, plan, PART_CODES);
  const tasks = objectsOf(findings, 'plan.tasks', ownValue(plan, 'tasks'), 'CYCLE_PLAN_TASK');
  const needs = new Map<string, string[]>();
  for (const { at, object } of tasks) {
    checkObject(findings, at, TASK, object, TASK_CODES);
    const id = ownValue(object, 'id');
    if (typeof id !== 'string') continue;
    if (needs.has(id))
      findings.add('CYCLE_PLAN_TASK', `${at}.id “${shorten(id)}” is taken by another task.`, `${at}.id`);
    else needs.set(id, textsOf(object, 'depends_on'));
    if (id.trim() !== '' && !USUAL_ID.test(id)) {
      findings.add('CYCLE_PLAN_TASK_ID', `${at}.id is “${shorten(id)}”. The usual form is TASK-001.`, `${at}.id`);
    }
  }
  for (const { at, object } of tasks) checkKnown(findings, `${at}.depends_on`, textsOf(object, 'depends_on'), needs);
  checkKnown(findings, 'plan.critical_path', textsOf(plan, 'critical_path'), needs);
  checkRing(findings, needs);
}

function checkKnown(findings: Findings, at: string, ids: readonly string[], known: ReadonlyMap<string, unknown>): void {
  for (const id of ids) {
    if (known.has(id)) continue;
    findings.add('CYCLE_PLAN_DEPENDENCY', `${at} names “${shorten(id)}”, which is no task of the plan.`, at);
  }
}

function checkRing(findings: Findings, needs: ReadonlyMap<string, readonly string[]>): void {
  const ring = ringOf(needs);
  if (!ring) return;
  const shown = ring.slice(0, 5).map(shorten).join(' → ');
  const message = `Tasks wait for each other: ${shown}${ring.length > 5 ? ' → …' : ''}.`;
  findings.add('CYCLE_PLAN_DEPENDENCY', message, 'plan.tasks');
}

/** A list of texts; empty if the value is something else. */
function textsOf(object: AnyObject, name: string): string[] {
  const list = ownValue(object, name);
  return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : [];
}
