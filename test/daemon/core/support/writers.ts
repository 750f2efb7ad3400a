import { decide } from '../../../../daemon/core/decide.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { ApprovalDecisionAction } from '../../../../schemas/enums.ts';
import { bound, dies, given, type Input, type Story, sent, started } from './given.ts';

/** Two writers with their prompts. Each fails where its agent cannot be recovered. */
export const both = given({ template: 'twoInstances', behaviour: 3 }, bound, started, started, sent, sent);
export const lost = (roleId: string): Input[] => Array<Input>(4).fill(dies(roleId));
export const oneLost = both.on(...lost('writer#0'));
export const bothLost = oneLost.on(...lost('writer#1'));

export const assignments = ({ run }: Story) =>
  run.phases[0]?.assignments.map(({ key, status, attempt, changeRequest }) => ({
    key,
    status,
    attempt,
    changeRequest,
  }));
export const statuses = (story: Story) => assignments(story)?.map(({ status, attempt }) => `${status} ${attempt}`);
export const open = ({ run }: Story) => openGates(run).map(({ assignment, gateKey }) => assignment ?? gateKey);
/** The instructions of the due prompts, by role. */
export const prompts = ({ run }: Story) =>
  decide(run).flatMap((effect) =>
    effect.type === 'sendPrompt' ? [{ roleId: effect.session.roleId, text: effect.envelope.instructions }] : [],
  );

/** A decision at the gate about this assignment. */
export const at =
  (assignment: string, action: ApprovalDecisionAction, comment: string | null = null): Input =>
  (run) => {
    const approvalRequestId = openGates(run).find((gate) => gate.assignment === assignment)?.id ?? 'none';
    return { type: 'decide', approvalRequestId, action, comment, clientToken: `${assignment} ${action}` };
  };
