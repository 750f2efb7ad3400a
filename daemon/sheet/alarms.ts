import type { CommittedWork } from '../../schemas/events/phase.ts';
import { holdsResult } from '../../schemas/gates/gateKinds.ts';
import { isOwnGate } from '../../schemas/gates/ownGates.ts';
import { takesComments } from '../../schemas/gates/takesComments.ts';
import { countNotDone, notDoneIn, notDoneWords } from '../../schemas/kinds/lanes/notDone.ts';
import type { Alarm } from '../../schemas/rpc/views/sheet.ts';
import { counted, someOf } from '../../schemas/text/phrases.ts';
import { uncommittedNote } from '../../schemas/worktreeState.ts';
import { unansweredNotes } from '../core/comments/commentState.ts';
import { countTasks } from '../core/run/notDone.ts';
import { definitionOf, phasesOf, seqAt } from '../core/run/query.ts';
import type { Approval, Run } from '../core/run/state.ts';
import { reviewAlarms } from '../kinds/review/reviewNotes.ts';
import { checksOf } from './checks.ts';
import { checkoutChangesBefore, failedSteps } from './question.ts';
import { reviewChecks } from './reviewPart.ts';
import type { SheetFacts } from './sheetFacts.ts';

/** Everything that should make a person look twice, the most urgent first. */
export function alarmsOf(run: Run, approval: Approval, facts: SheetFacts): Alarm[] {
  return [
    ...refusedAlarms(facts),
    ...(facts.unreadable ?? []).map((sentence) => alarm('unreadable', sentence)),
    ...(facts.moved === undefined ? [] : [alarm('moved', facts.moved)]),
    ...(facts.uncommittedFiles ? [alarm('uncommitted', uncommittedNote(facts.uncommittedFiles))] : []),
    ...nestedAlarms(approval),
    ...notDoneAlarms(run, approval),
    ...(asksAboutWork(approval) ? resultAlarms(run, approval) : []),
    ...fakeAlarms(run),
  ];
}

/** True at the gates of templates, and at those of devflow where a person takes or leaves work, too. */
function asksAboutWork(approval: Approval): boolean {
  return isOwnGate(approval.gateKey) ? takesComments(approval) : holdsResult(approval);
}

function alarm(code: Alarm['code'], sentence: string): Alarm {
  return { code, sentence };
}

function resultAlarms(run: Run, approval: Approval): Alarm[] {
  return [
    ...unansweredNotes(run, approval.createdAt).map(({ sentence }) => alarm('unanswered', sentence)),
    ...failedSteps(run).map((sentence) => alarm('audit_failed', sentence)),
    ...unconfirmedAlarms(run),
    ...reviewAlarms(run),
    ...notCheckedAlarms(run, approval),
    ...driftAlarms(run),
    ...checkoutAlarms(run, approval),
  ];
}

function refusedAlarms({ refused = [] }: SheetFacts): Alarm[] {
  return refused.map(({ sessionId, roleId, action, at }) => {
    const who = `${roleId ?? 'session'} (${sessionId.slice(0, 8)})`;
    const what = action ?? 'unknown';
    return alarm('agent_decided', `The agent of ${who} tried to decide this (${what}) at ${at}. devflow refused.`);
  });
}

function nestedAlarms({ subject }: Approval): Alarm[] {
  const { nestedRepositories = [] } = (subject.work ?? {}) as Partial<CommittedWork>;
  if (nestedRepositories.length === 0) return [];
  return [
    alarm('nested', `Git repositories left out of the commit: ${someOf(nestedRepositories)}.`),
    alarm('nested', 'To commit their files, request changes: the agent must remove the .git of each.'),
  ];
}

const MOST_TASKS = 5;

function notDoneAlarms(run: Run, { subject }: Approval): Alarm[] {
  const notDone = notDoneIn(subject);
  if (notDone.length === 0) return [];
  const tasks = countTasks(run);
  const all = notDone.length >= tasks;
  const rest = notDone.length - MOST_TASKS;
  const [lane] = notDone.flatMap(({ laneId }) => laneId ?? []);
  return [
    alarm('not_done', all ? 'No task was done.' : `${countNotDone(notDone, tasks)} are not done.`),
    ...notDone.slice(0, MOST_TASKS).map((task) => alarm('not_done', `Not done: ${notDoneWords(task)}`)),
    ...(rest > 0 ? [alarm('not_done', `Not done: ${counted(rest, 'more task')}`)] : []),
    ...(lane === undefined
      ? []
      : [alarm('not_done', `To take it up again: devflow run reopen ${run.id.slice(0, 8)} ${lane}`)]),
  ];
}

function unconfirmedAlarms(run: Run): Alarm[] {
  const findings = phasesOf('review', run).flatMap(({ review }) => review?.findings ?? []);
  const count = findings.filter(({ state }) => state === 'unverified' || state === 'disputed').length;
  return count === 0
    ? []
    : [alarm('unconfirmed', `${counted(count, 'finding is', 'findings are')} neither confirmed nor rejected.`)];
}

function notCheckedAlarms(run: Run, approval: Approval): Alarm[] {
  const { to = null } = (approval.subject.diff ?? {}) as { to?: string | null };
  const until = seqAt(run, approval);
  if (to === null || !isRisky(run, until)) return [];
  if (checksOf(run, approval).length > 0 || reviewChecks(run, until).length > 0) return [];
  return [alarm('not_checked', 'No command checked this change.')];
}

/** Documents alone need no check: their phases have a low risk. */
function isRisky(run: Run, until: number): boolean {
  return run.phases.some((phase) => phase.seq <= until && definitionOf(run, phase).risk !== 'low');
}

function driftAlarms({ approvals }: Run): Alarm[] {
  const isTaken = approvals.some(({ gateKey, state }) => gateKey === 'contract_drift' && state === 'approved');
  return isTaken
    ? [alarm('drift', 'Files of the contract changed after devflow published them, and you kept the changes.')]
    : [];
}

function checkoutAlarms(run: Run, approval: Approval): Alarm[] {
  return checkoutChangesBefore(run, approval).map((sentence) => alarm('checkout_changed', sentence));
}

function fakeAlarms({ bindings }: Run): Alarm[] {
  const roles = bindings.filter(({ backend }) => backend === 'fake').map(({ roleId }) => roleId);
  if (roles.length === 0) return [];
  return [alarm('fake', `A fake agent took part as ${someOf(roles)}. What it wrote proves nothing.`)];
}
