import type { z } from 'zod';
import type { Confirmation } from '../../schemas/contracts/autodev/nextStep.ts';
import { NESTED_GATE, onlyReviews } from '../../schemas/definitions/template.ts';
import type { GateKind } from '../../schemas/enums.ts';
import type { CommittedWork } from '../../schemas/events/phase.ts';
import { holdsFailure, holdsResult } from '../../schemas/gates/gateKinds.ts';
import { isOwnGate, type OwnGate } from '../../schemas/gates/ownGates.ts';
import { countNotDone, notDoneIn, notDoneWords } from '../../schemas/kinds/lanes/notDone.ts';
import { sharedReasonWords } from '../../schemas/kinds/lanes/sharedReason.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import { SharedPairs } from '../../schemas/rpc/views/lanes.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { checkoutChangeSentence } from '../../schemas/worktreeState.ts';
import { unansweredNotes } from '../core/comments/commentState.ts';
import { auditSentence, failedAudits } from '../core/exchange/failedAudits.ts';
import { type Again, askedAgain } from '../core/gates/askedAgain.ts';
import { countTasks } from '../core/run/notDone.ts';
import type { Approval, Run } from '../core/run/state.ts';
import { reviewNotes } from '../kinds/review/reviewNotes.ts';

/** The question of a gate, in a sentence or two. A gate that was decided and opens again unchanged says so first. */
export function questionOf(run: Run, approval: Approval): string {
  const again = askedAgain(run, approval);
  const question = plainQuestion(run, approval);
  return again ? `${againWords(approval, again)} ${question}` : question;
}

function againWords({ kind, gateKey, subject }: Approval, { times, action }: Again): string {
  const often = times === 1 ? '' : ` ${counted(times, 'time')}`;
  if (!holdsFailure({ kind }) || isOwnGate(gateKey)) {
    return action === 'approve'
      ? `You approved this${often}, and it came back unchanged.`
      : `You asked for changes${often}, and nothing changed.`;
  }
  const did = action === 'approve' ? 'You had this tried again' : 'You asked for changes';
  const { recoveryHint } = subject;
  const hint = typeof recoveryHint === 'string' && recoveryHint !== '' ? ` ${sentenceOf(recoveryHint)}` : '';
  return `${did}${often}, and it failed the same way.${hint}`;
}

/** The question without the warnings, which a sheet lists as alarms. */
export function decidesOf(run: Run, approval: Approval): string {
  const again = askedAgain(run, approval);
  const question = asksForResult(approval) ? `${resultWords(run, approval)}?` : plainQuestion(run, approval);
  return again ? `${againWords(approval, again)} ${question}` : question;
}

function asksForResult({ kind, gateKey }: Approval): boolean {
  return kind === 'gate' && gateKey !== NESTED_GATE && !isOwnGate(gateKey);
}

function plainQuestion(run: Run, approval: Approval): string {
  const { gateKey, kind } = approval;
  if (isOwnGate(gateKey)) return OWN_QUESTIONS[gateKey](approval);
  return Object.hasOwn(QUESTIONS, kind) ? QUESTIONS[kind](run, approval) : 'Continue?';
}

/** The questions of gates that are none of devflow's own. */
const QUESTIONS: Readonly<Record<GateKind, (run: Run, approval: Approval) => string>> = {
  gate: resultQuestion,
  recovery(_, { assignment, phaseKey, subject }) {
    const about = assignment === null || phaseKey === '' ? '' : `${phaseKey}, ${assignment}: `;
    return `${about}${sentenceOf(subject.reason)} Try again?`;
  },
  cleanup: (_, { subject }) => `${subject.reason} Remove it? devflow keeps a copy in the run's directory.`,
  agent: (_, { subject }) => `${subject.reason}.`,
  turn: (_, approval) => OWN_QUESTIONS.turn_ended(approval),
};

function resultWords(run: Run, { subject, phaseKey, attempt }: Approval): string {
  const { producedBy } = subject;
  const producer = run.template.phases.find((phase) => phase.key === producedBy);
  // The artifact of a review is its verdict, but the person decides on the change.
  if (producer?.kind === 'review' && !onlyReviews(run.template))
    return `Accept the reviewed change (${producedBy}), attempt ${attempt}`;
  const title = producer?.title ?? phaseKey;
  return `Accept the result of "${title}" (${producedBy}), attempt ${attempt}`;
}

function resultQuestion(run: Run, approval: Approval): string {
  const { gateKey, subject, phaseKey } = approval;
  if (gateKey === NESTED_GATE) {
    const { nestedRepositories = [] } = (subject.work ?? {}) as Partial<CommittedWork>;
    return `Phase ${phaseKey} left git repositories in the worktree that no commit contains: ${nestedRepositories.join(', ')}. Continue without them?`;
  }
  const unanswered = unansweredNotes(run, approval.createdAt).map(({ sentence }) => sentence);
  const warnings = [...failedSteps(run), ...unanswered, ...reviewNotes(run)];
  const changes = checkoutChangesBefore(run, approval);
  const all = [withoutTasks(run, subject, resultWords(run, approval)), ...warnings, ...changes];
  return all.join(' ');
}

/** Says which steps of the plan do not keep to their manifests. */
export function failedSteps(run: Run): string[] {
  const audits = failedAudits(run);
  if (!audits) return [];
  const { failed, checked } = audits;
  const isOne = checked === 1;
  const count = isOne ? 'The step' : `${failed.length} of ${checked} steps`;
  const verb = failed.length === 1 ? 'does not keep to its manifest' : 'do not keep to their manifests';
  return [`${count} of the plan ${verb}: ${sentenceOf(someOf(failed.map(auditSentence), 'more step'))}`];
}

/** The changes of the person's checkout since the gate before this one. */
export function checkoutChangesBefore(run: Run, { createdAt, id }: Approval): string[] {
  const gates = run.approvals.filter((each) => holdsResult(each) && !isOwnGate(each.gateKey));
  const before = gates[gates.findIndex((each) => each.id === id) - 1]?.createdAt ?? '';
  const changes = run.checkoutChanges.filter(({ at }) => at > before && at <= createdAt);
  if (changes.length === 0) return [];
  return [...changes.slice(0, SHOWN).map(checkoutChangeSentence), 'If it was not you, an agent wrote there.'];
}

/** Says what the result lacks, if tasks of the plan were abandoned. */
function withoutTasks(run: Run, subject: Approval['subject'], question: string): string {
  const notDone = notDoneIn(subject);
  if (notDone.length === 0) return `${question}?`;
  const tasks = countTasks(run);
  const names = someOf(notDone.map(notDoneWords), 'more task');
  const [lane] = notDone.flatMap(({ laneId }) => laneId ?? []);
  const again = lane === undefined ? '' : ` To take it up again: devflow run reopen ${run.id.slice(0, 8)} ${lane}.`;
  if (notDone.length >= tasks) return `No task was done. ${question}? Not done: ${names}.${again}`;
  return `${question}, without ${countNotDone(notDone, tasks)}? Not done: ${names}.${again}`;
}

const OWN_QUESTIONS: Readonly<Record<OwnGate, (approval: Approval) => string>> = {
  parallel_dag_approved({ subject }) {
    const pairs = sharedPairs(subject).map(({ a, b, reasons }) => {
      const [first] = reasons;
      return `${a} and ${b}${first ? ` (${sharedReasonWords(first)})` : ''}`;
    });
    return `These tasks may write the same files, and the plan puts them in no order: ${someOf(pairs, 'more pair')}. Put them in order?`;
  },
  probes_approved({ subject }) {
    const count = Array.isArray(subject.probes) ? subject.probes.length : 0;
    return `Run ${counted(count, 'command')} of this repository, to see which of them work?`;
  },
  writeset_conflict({ laneId, subject }) {
    const others = namesIn(subject.with).join(', ');
    return `${laneId} changed ${someOf(namesIn(subject.paths), 'more file')}. Its tasks do not name these files, and ${others || 'another lane'} may change them too. Allow it?`;
  },
  merge_conflict({ laneId, subject }) {
    const dropped = namesIn(subject.droppedTests);
    if (dropped.length > 0)
      return `The agent of ${laneId} resolved a conflict, and dropped ${someOf(dropped, 'more test')}. Accept that?`;
    const [fault] = namesIn(subject.faults);
    const refused = fault === undefined ? '' : ` devflow refused the last resolution: ${sentenceOf(fault)}`;
    return `${laneId} conflicts with work that landed, in ${someOf(namesIn(subject.paths), 'more file')}. Its agents could not resolve it.${refused} Try again?`;
  },
  merge_failed({ laneId, subject }) {
    const returns = Array.isArray(subject.ejections) ? subject.ejections.length : 0;
    const how = returns > 0 ? `came back from the merge queue ${counted(returns, 'time')}` : 'fails its checks';
    const failed = Array.isArray(subject.failed) ? (subject.failed as string[][]).map((argv) => argv.join(' ')) : [];
    const checks = failed.length > 0 ? ` (${someOf(failed, 'more check')})` : '';
    return `${laneId} ${how}${checks}, and its agent could not repair it. Try again?`;
  },
  base_red({ subject }) {
    const failed = failedIn(subject);
    const question =
      subject.landings === undefined ? 'Go on without requiring what fails?' : 'Go on as long as no more fails?';
    return `The run's branch fails without any new work: ${someOf(failed, 'more check')}. ${question}`;
  },
  review_unconverged({ subject }) {
    return `${subject.reason} Still open: ${someOf(namesIn(subject.open), 'more finding')}. Accept the change as it is?`;
  },
  review_dispute({ subject }) {
    if (subject.details) return `${namesIn(subject.open).join(', ')}: ${subject.reason} Dismiss it?`;
    return `The verifiers could not settle: ${someOf(namesIn(subject.open), 'more finding')}. Dismiss them?`;
  },
  contract_drift({ subject }) {
    const question =
      subject.isInvalid === true ? 'Put back what devflow published?' : 'Go on with the files as they are now?';
    return `${sentenceOf(subject.reason)} ${question}`;
  },
  iterations_exhausted({ subject }) {
    if (typeof subject.wanted === 'string') return `${sentenceOf(subject.reason)} Leave the result as it is?`;
    const issues = namesIn(subject.issues);
    const named = issues.length === 0 ? '' : ` ${sentenceOf(someOf(issues, 'more issue'))}`;
    return `${sentenceOf(subject.reason)}${named} Accept what is open?`;
  },
  objective_not_met({ subject }) {
    const unnamed = namesIn(subject.issues).filter((issue) => !String(subject.reason).includes(issue));
    const missed = unnamed.length > 0 ? ` ${someOf(unnamed, 'more target')}.` : '';
    return `${sentenceOf(subject.reason)}${missed} Go on with the best iteration?`;
  },
  turn_ended({ subject }) {
    return `${sentenceOf(subject.reason)} Its last words: ${String(subject.words)}\nWait for it?`;
  },
  host_unreachable({ subject }) {
    return `${sentenceOf(subject.reason)} The run goes on by itself once the host is back. Wait for it, or end the run?`;
  },
  setup_failed({ laneId, subject }) {
    const where = laneId === MAIN ? '' : ` of ${laneId}`;
    return `The worktree${where} could not be set up: ${sentenceOf(subject.why)} Set it up again?`;
  },
  delivery_uncertain({ subject }) {
    return `${sentenceOf(subject.reason)} Did the agent take the prompt?`;
  },
  session_boundary({ phaseKey, subject }) {
    const { choose = null } = (subject.boundary ?? {}) as { choose?: string | null };
    const { path, key } = (subject.confirms ?? {}) as Partial<Confirmation>;
    if (path)
      return `Phase ${phaseKey} is done. Read ${path} in the worktree, and set ${key}: true there; devflow commits it. Go on?`;
    return choose ?? `Phase ${phaseKey} is done. Begin the next one in a new conversation?`;
  },
};

/** A reason as a sentence. */
function sentenceOf(reason: unknown): string {
  return String(reason).replace(/[.\s]*$/, '.');
}

const SHOWN = 3;

/** The first of many, and how many more there are. */
function someOf(names: readonly string[], more: string): string {
  const rest = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${counted(rest, more)}` : ''}`;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(nameOf) : [];
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { path, name } = (value ?? {}) as { path?: unknown; name?: unknown };
  return [path, name].filter((part) => typeof part === 'string').join(' ');
}

/** The commands of a merge test that failed. */
function failedIn({ failed, results }: Approval['subject']): string[] {
  const all = Array.isArray(results) ? (results as { argv?: string[] }[]) : [];
  const indexes = Array.isArray(failed) ? (failed as number[]) : all.map((_, at) => at);
  return indexes.map((at) => all[at]?.argv?.join(' ') ?? `check ${at + 1}`);
}

/** The pairs of tasks that a gate `parallel_dag_approved` asks about; none if its subject has another form. */
export function sharedPairs(subject: Readonly<Record<string, unknown>>): z.infer<typeof SharedPairs> {
  return SharedPairs.safeParse(subject.pairs).data ?? [];
}
