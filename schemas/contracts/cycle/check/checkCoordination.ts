import { isMap, ownValue } from '../../document/fields.ts';
import { BLOCKER_STATUSES, DECISION_STATUSES, FEEDBACK_TYPES } from '../state/cycleState.ts';
import type { Findings } from './findings.ts';
import { type AnyObject, checkObject, objectsOf, optional, required } from './objects.ts';

const FEEDBACK = [
  required('timestamp', 'time'),
  required('source', 'text'),
  required('target', 'text'),
  required('content', 'text'),
  required('type', 'text', { values: FEEDBACK_TYPES }),
];

const DECISION = [
  required('id', 'text', { isFilled: true }),
  required('description', 'text'),
  required('options', 'texts'),
  optional('made_by', 'text'),
  optional('chosen_option', 'text'),
  required('status', 'text', { values: DECISION_STATUSES }),
];

const BLOCKER = [
  required('id', 'text', { isFilled: true }),
  required('description', 'text'),
  required('reported_by', 'text'),
  required('status', 'text', { values: BLOCKER_STATUSES }),
  optional('resolution', 'text'),
];

export const COORDINATION = [
  required('feedback_log', 'list', { holds: { fields: FEEDBACK } }),
  required('pending_decisions', 'list', { holds: { fields: DECISION } }),
  required('blockers', 'list', { holds: { fields: BLOCKER } }),
];

const STATUS_CODE = { status: 'CYCLE_INVALID_STATUS' } as const;

export function checkCoordination(findings: Findings, part: unknown): void {
  if (!isMap(part)) return;
  checkObject(findings, 'coordination', COORDINATION, part);
  for (const { at, object } of objectsOf(findings, 'coordination.feedback_log', ownValue(part, 'feedback_log'))) {
    checkObject(findings, at, FEEDBACK, object);
  }
  for (const { at, object } of objectsOf(
    findings,
    'coordination.pending_decisions',
    ownValue(part, 'pending_decisions'),
  )) {
    checkObject(findings, at, DECISION, object, STATUS_CODE);
    checkChosen(findings, at, object);
  }
  for (const { at, object } of objectsOf(findings, 'coordination.blockers', ownValue(part, 'blockers'))) {
    checkObject(findings, at, BLOCKER, object, STATUS_CODE);
    if (ownValue(object, 'status') === 'resolved' && ownValue(object, 'resolution') === undefined) {
      findings.add('CYCLE_MISSING_FIELD', `${at} is resolved, but ${at}.resolution is missing.`, `${at}.resolution`);
    }
  }
}

function checkChosen(findings: Findings, at: string, decision: AnyObject): void {
  const [chosen, options] = [ownValue(decision, 'chosen_option'), ownValue(decision, 'options')];
  if (typeof chosen !== 'string' || !Array.isArray(options) || options.includes(chosen)) return;
  findings.add('CYCLE_INVALID_FIELD', `${at}.chosen_option is none of its options.`, `${at}.chosen_option`);
}
