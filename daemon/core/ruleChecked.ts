import { storableText } from '../../schemas/definitions/unstorableText.ts';
import type { DevflowError } from '../../schemas/errors.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import { derivedId } from '../../schemas/ids.ts';
import { cutTo } from '../../schemas/text/phrases.ts';
import type { OutcomeOf } from './effect/outcome.ts';
import { handleSignal } from './handleSignal.ts';
import { judgeRules } from './rules/judgeRules.ts';
import { ruleChecks, rulesAt } from './rules/rulesAt.ts';
import { isFrozen } from './run/query.ts';
import type { Approval, Run } from './run/state.ts';

/** A rule passes the gate as the person would, or the reasons why not are recorded, and the gate waits for the person. */
export function ruleChecked(
  run: Run,
  { key, approvalRequestId, facts, observed }: OutcomeOf<'ruleChecked'>,
): NewEvent[] {
  // A paused run decides nothing. Once it goes on, the gate is checked again.
  if (isFrozen(run)) return [];
  const approval = run.approvals.find(({ id }) => id === approvalRequestId);
  if (!approval || !ruleChecks(run).some((effect) => effect.key === key)) return [];
  const verdict = judgeRules(rulesAt(run, approval), facts);
  if ('why' in verdict) return [notByRule(approval, verdict.why)];
  const result = handleSignal(run, {
    type: 'decide',
    approvalRequestId,
    action: 'approve',
    comment: null,
    clientToken: derivedId('rule', approvalRequestId),
    by: verdict.by,
    observed,
  });
  return 'refused' in result ? [notByRule(approval, [result.refused.message])] : result.events;
}

const MOST_WHY = 50;
const MOST_REASON = 1_000;

/** A reason may name files of an agent, and the log keeps neither every text nor any length. */
function reasonText(reason: string): string {
  return cutTo(storableText(reason), MOST_REASON);
}

/** The gate is the person's from now on. */
function notByRule({ id, phaseId }: Approval, why: string[]): NewEvent {
  return {
    type: 'approval.rule_checked',
    phaseId: phaseId || null,
    payload: { approvalRequestId: id, why: why.slice(0, MOST_WHY).map(reasonText) },
  };
}

/** What comes of a check that could not be done. */
export function ruleCheckFails(
  run: Run,
  approvalRequestId: string,
  { message }: Pick<DevflowError, 'message'>,
): NewEvent[] {
  const approval = run.approvals.find(({ id }) => id === approvalRequestId);
  return approval ? [notByRule(approval, [`The rule could not be checked: ${message}`])] : [];
}
