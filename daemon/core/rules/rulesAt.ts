import { gatesOf, NESTED_GATE } from '../../../schemas/definitions/template.ts';
import type { AutoGate } from '../../../schemas/gates/autoGates.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { isOwnGate } from '../../../schemas/gates/ownGates.ts';
import type { Effect } from '../effect/effect.ts';
import { openGates } from '../run/query.ts';
import type { Approval, Run } from '../run/state.ts';

/**
 * A person's rules for a gate. Only gates that the template names have any: dialogs, failures, lanes, conflicts, set-ups and
 * whatever else devflow itself asks about wait for the person.
 */
export function rulesAt(run: Run, approval: Approval): AutoGate[] {
  return isReplacement(approval) ? [] : rulesNamed(run, approval);
}

/** Such a gate shows something that came after the checks: new commits, or the person's edit. A person decides it. */
export function isReplacement({ subject: { supersedes } }: Pick<Approval, 'subject'>): boolean {
  return Array.isArray(supersedes) && supersedes.length > 0;
}

/** The rules that name a gate, also where it replaces another one. */
export function rulesNamed(run: Run, { gateKey, kind, laneId, assignment }: Approval): AutoGate[] {
  if (run.autoGates === null || kind !== 'gate' || laneId !== null || assignment !== null) return [];
  if (isOwnGate(gateKey) || gateKey === NESTED_GATE) return [];
  const isNamed = run.template.phases.some((phase) => gatesOf(run.template, phase).includes(gateKey));
  return isNamed ? run.autoGates.filter(({ gate }) => gate === gateKey) : [];
}

/** The gates that a rule may still pass. They ask nobody yet. */
export function gatesOfRules(run: Run): string[] {
  return ruleChecks(run).flatMap((effect) => (effect.type === 'checkRule' ? [effect.approvalRequestId] : []));
}

/** The open gates that a person must decide. */
export function gatesOfPerson(run: Run): Approval[] {
  const checked = gatesOfRules(run);
  return openGates(run).filter(({ id }) => !checked.includes(id));
}

/** The rules of open gates that nobody has looked at. Each gate is checked once; then it is the person's. */
export function ruleChecks(run: Run): Effect[] {
  if (run.autoGates === null) return [];
  return openGates(run).flatMap((approval) => {
    if (approval.rule !== undefined || rulesAt(run, approval).length === 0) return [];
    if (!decidable(approval, 'awaiting_approval').includes('approve')) return [];
    const { id: approvalRequestId } = approval;
    return [{ type: 'checkRule', runId: run.id, key: `checkRule:${approvalRequestId}`, approvalRequestId }];
  });
}
