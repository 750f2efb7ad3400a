import type { RunState } from '../../schemas/enums.ts';
import type { RunEventType } from '../../schemas/events/index.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { StallView } from '../../schemas/rpc/views/session.ts';
import { runState } from '../../schemas/states/run.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { titleOf } from '../../schemas/text/titleOf.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import { checkoutChangeSentence, type RecordedCheckoutChange } from '../../schemas/worktreeState.ts';
import type { Style } from './line.ts';
import { stallWords } from './sessionWords.ts';
import { theme } from './theme.ts';

type Facts = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
const id = (value: unknown) => text(value).slice(0, 8);
const nth = (value: unknown) => (Number(value) > 1 ? `, attempt ${text(value)}` : '');
const because = (value: unknown) => (text(value) === '' ? '' : `: ${withLocalTimes(text(value))}`);
/** A guessed set-up of devflow's own worktree that failed. */
const withoutSetup = (setup: unknown) => {
  if (typeof setup !== 'object' || setup === null) return '';
  const { argv, reason } = setup as Facts;
  return `; the guessed set-up failed: ${list(argv)}${because(reason)}`;
};
const count = (value: unknown, what: string) => counted(Array.isArray(value) ? value.length : 0, what);
const file = (value: unknown) => text(value).split('/').at(-1) ?? '';
const list = (value: unknown) => (Array.isArray(value) ? value.map(text).join(' ') : '');

const nameOf = (template: unknown) => {
  const { name, version } = template as Facts;
  return `${text(name)}@${text(version)}`;
};

const firstLine = (value: unknown) => titleOf(text(value));

/** Why a message counts as taken. */
const MESSAGE_PROOFS: Readonly<Record<string, string>> = {
  hook: 'its program said so',
  conversation: 'it is in its record',
  turn: 'a turn began',
  later: 'it took what followed',
  person: 'you said so',
};

/** The sentence of each event. An event without an entry does not compile. */
const SENTENCES: Readonly<Record<RunEventType, (facts: Facts, at: number) => string>> = {
  'run.created': ({ repoPath, baseBranch }) => `a run in ${text(repoPath)} from ${text(baseBranch)}`,
  'run.started': ({ branch, bindings }) => `on branch ${text(branch)} with ${count(bindings, 'role')}`,
  'run.paused': ({ reason, cause }) => withLocalTimes(text(reason)) || text(cause),
  'run.resumed': ({ to, cause, reason }) =>
    `resumes as ${runState({ state: text(to) as RunState }).word} (${text(cause).split(':')[0]})${because(reason)}`,
  'run.stalled': ({ stall, sessionId }, at) =>
    stall ? `agent ${id(sessionId)} ${stallWords(stall as StallView, at)}` : `agent ${id(sessionId)} continues`,
  'run.completed': () => 'all phases are done',
  'run.failed': ({ code, reason }) => `${text(code)}${because(reason)}`,
  'run.aborted': ({ reason }) => text(reason),
  'run.delivered': ({ commit, onto, reason }) =>
    onto === null
      ? `the last files are not in the branch${because(reason)}`
      : `the last files are in ${id(commit ?? onto)}`,
  'run.ranked': ({ release }) => (release ? 'waits for no other run' : 'moved in the queue'),
  'run.continued': ({ template }) => `${nameOf(template)} follows`,
  'run.titled': ({ title }) => text(title),
  'run.applied': ({ target, commit, way }) =>
    way === 'found' ? `${text(target)} has the work, at ${id(commit)}` : `to ${text(target)}, now at ${id(commit)}`,
  'phase.started': ({ attempt, cause, changeRequest }) =>
    `${text(cause) === 'first' ? 'first attempt' : `${text(cause).replaceAll('_', ' ')}${nth(attempt)}`}${because(changeRequest)}`,
  'phase.completed': ({ attempt, work }) => `${workOf(work as Facts | null)}${nth(attempt)}`,
  'phase.failed': ({ code, reason, attempt }) => `${text(code)}${nth(attempt)}${because(reason)}`,
  'phase.skipped': ({ reason, evidence }) => `${text(reason)}${evidence ? ` (${text(evidence)})` : ''}`,
  'phase.progressed': ({ number, name, detail }) => `${text(number)} ${text(name)}${because(detail)}`,
  'prompt.sent': ({ roleId, attempt, expectedArtifact }) =>
    `to ${text(roleId)} for ${file(expectedArtifact)}${nth(attempt)}`,
  'prompt.repaired': ({ roleId, expectedArtifact }) => `${text(roleId)} is asked to repair ${file(expectedArtifact)}`,
  'message.queued': ({ sessionId, text: words }) => `to agent ${id(sessionId)}: ${firstLine(words)}`,
  'message.sent': ({ sessionId, proof }) =>
    `agent ${id(sessionId)} has it (${MESSAGE_PROOFS[text(proof)] ?? text(proof)})`,
  'message.withdrawn': ({ messageId }) => `${id(messageId)} is taken back`,
  'message.doubted': ({ messageId, reason }) => `${id(messageId)}${because(reason)}`,
  'message.settled': ({ messageId, taken }) =>
    `${id(messageId)}: ${taken === true ? 'the agent has it' : 'is sent again'}`,
  'artifact.expected': ({ roleId, path }) => `${text(roleId)} must write ${file(path)}`,
  'artifact.validated': ({ roleId, path, schema }) => `${file(path)} of ${text(roleId)} is a valid ${text(schema)}`,
  'artifact.edited': ({ path, roleId, hash }) =>
    `you edited ${file(path)} of ${text(roleId)}: ${text(hash).slice(0, 12)}`,
  'artifact.invalid': ({ roleId, path, schema, errors }) =>
    `${file(path)} of ${text(roleId)} is not a valid ${text(schema)}: ${count(errors, 'error')}`,
  'artifact.timeout': ({ roleId, path }) => `${text(roleId)} did not write ${file(path)} in time`,
  'artifact.missing': ({ roleId, path }) => `${text(roleId)} ended its turn without ${file(path)}, and is reminded`,
  'artifact.published': ({ path, contract }) => `${text(path)} as ${text(contract)}`,
  'contract.drifted': ({ path, found }) =>
    `${text(path)} was ${found === null ? 'removed' : 'changed'} by somebody else`,
  'checkout.changed': (facts) => checkoutChangeSentence(facts as unknown as RecordedCheckoutChange),
  'approval.requested': ({ gateKey, phaseKey, attempt }) =>
    `${text(gateKey)} (${text(phaseKey)}) waits for a decision${nth(attempt)}`,
  'approval.resolved': ({ action, comment, by }) =>
    `${text(action).replaceAll('_', ' ')}${because(comment)}${by ? ` by your rule: ${text((by as Facts).rule)}` : ''}`,
  'approval.rule_checked': ({ why }) => `your rule does not decide${because(Array.isArray(why) ? why.join(' ') : why)}`,
  'approval.withdrawn': ({ reason }) => `withdrawn${because(reason)}`,
  'session.created': ({ roleId, backend, sessionId }) => `${text(roleId)} on ${text(backend)}, ${id(sessionId)}`,
  'session.ready': ({ sessionId }) => `agent ${id(sessionId)} is ready`,
  'session.busy': ({ sessionId }) => `agent ${id(sessionId)} works`,
  'session.idle': ({ sessionId }) => `agent ${id(sessionId)} has finished`,
  'session.crashed': ({ sessionId, code, reason }) => `agent ${id(sessionId)}: ${text(code)}${because(reason)}`,
  'session.recovered': ({ sessionId, how, hint }) => `agent ${id(sessionId)} recovered by ${text(how)}${because(hint)}`,
  'session.failed': ({ sessionId, code, reason }) => `agent ${id(sessionId)}: ${text(code)}${because(reason)}`,
  'command.started': ({ argv }) => list(argv),
  'command.completed': ({ exitCode }) => `exit ${text(exitCode)}`,
  'command.failed': ({ exitCode, reason }) =>
    `${exitCode === null ? 'no exit code' : `exit ${text(exitCode)}`}${because(reason)}`,
  'worktree.placed': ({ laneId, placed, commands }) =>
    `${text(laneId)}: ${count(placed, 'path')} of your checkout, ${count(commands, 'command')} to run`,
  'worktree.set_up': ({ laneId, ok, reason, withoutSetup }) =>
    `${text(laneId)} ${ok === true ? 'is set up' : withoutSetup ? 'goes on without a set-up' : 'was not set up'}${because(reason)}`,
  'worktree.outdated': ({ laneId, reason }) => `${text(laneId)} must be set up again${because(reason)}`,
  'lane.opened': ({ laneId, roleId, base }) => `${text(laneId)} for ${text(roleId)} from ${id(base)}`,
  'lane.drifted': ({ laneId, paths }) => `${text(laneId)} changed ${count(paths, 'file')} outside its write set`,
  'lane.finished': ({ laneId, head }) => `${text(laneId)} is done at ${id(head)}`,
  'lane.landed': ({ laneId, commit }) => `${text(laneId)} landed as ${id(commit)}`,
  'lane.abandoned': ({ laneId, reason }) => `${text(laneId)}${because(reason)}`,
  'lane.reopened': ({ laneId, comment }) => `${text(laneId)} is taken up again${because(comment)}`,
  'task.started': ({ taskId, laneId }) => `${text(taskId)} in ${text(laneId)}`,
  'task.completed': ({ taskId, work }) => `${text(taskId)}, ${workOf(work as Facts | null)}`,
  'lane.closed': ({ laneId }) => `${text(laneId)} is closed`,
  'merge.enqueued': ({ laneId, head }) => `${text(laneId)} at ${id(head)}`,
  'merge.tested': ({ lanes, failed, setup }) =>
    `${laneNames(lanes)}: ${count(failed, 'failed check')}${withoutSetup(setup)}`,
  'merge.landed': ({ lanes, to, flaky }) =>
    `${list(lanes)} as ${id(to)}${list(flaky) === '' ? '' : `; flaky: ${list(flaky)}`}`,
  'merge.ejected': ({ laneId, cause, with: others }) =>
    `${text(laneId)}: ${text(cause)}${list(others) === '' ? '' : ` with ${list(others)}`}`,
  'iteration.started': ({ round, reason, iteration, extension }) =>
    iteration === undefined
      ? `round ${text(round)}: ${text(reason)}`
      : `iteration ${text(iteration)}${because(extension)}`,
  'iteration.completed': ({ round, outcome, reason, iteration, issues }) =>
    iteration === undefined
      ? `round ${text(round)}, ${text(outcome)}: ${text(reason)}`
      : `iteration ${text(iteration)}: ${count(issues, 'issue')} open`,
  'review.prepared': ({ scope, head, changedLines }) =>
    `${text(scope)} look at ${id(head)}: ${text(changedLines)} changed lines`,
  'review.batch_recorded': ({ reviewerRole, findings }) => `${text(reviewerRole)}: ${count(findings, 'finding')}`,
  'review.asked': ({ roleId, what, findings }) => `${text(roleId)}: ${text(what)} of ${count(findings, 'finding')}`,
  'review.verdict_recorded': ({ assignment }) => text(assignment),
  'review.checked': ({ what, results, setup }) => `${text(what)}: ${count(results, 'command')}${withoutSetup(setup)}`,
  'review.fix_committed': ({ answers }) => count(answers, 'answer'),
  'finding.verifier_resolved': ({ findingId, status, reason }) =>
    `finding ${id(findingId)} is ${text(status)}: ${text(reason)}`,
  'finding.fixed': ({ findingId }) => `finding ${id(findingId)} is fixed`,
  'finding.accepted': ({ findingId }) => `finding ${id(findingId)} is accepted`,
  'backtest.iteration_started': ({ iteration, commit }) =>
    `${iteration === 0 ? 'the base' : `iteration ${text(iteration)}`} at ${id(commit)}`,
  'backtest.measured': ({ part, measurement }) => {
    const { metrics, fault } = measurement as { metrics: Facts; fault: string | null };
    return `${text(part)}: ${fault === null ? shortFacts(metrics) : text(fault)}`;
  },
  'backtest.iteration_completed': ({ status, reason }) => `${text(status)}${because(reason)}`,
  'backtest.objective_evaluated': ({ isKept, reason, stop }) =>
    `${isKept === true ? 'kept' : 'not kept'}: ${text(reason)}${because((stop as Facts | null)?.detail)}`,
  'direct.finished': ({ now }) => (now ? 'now, whatever the agent does' : 'once the agent is at rest'),
};

function laneNames(lanes: unknown): string {
  const names = (Array.isArray(lanes) ? lanes : []).map((lane: Facts) => text(lane.laneId));
  return names.length > 0 ? names.join(' ') : 'the base';
}

function workOf(work: Facts | null | undefined): string {
  if (!work) return 'done';
  if (work.commit === null) return 'done, no changes';
  return `${id(work.commit)}: ${counted(Number(work.files), 'file')}, +${text(work.insertions)} -${text(work.deletions)}`;
}

/** An event as a sentence. An unknown event, from a newer daemon, shows its short facts. */
export function eventSentence({ type, payload, ts }: EventView): string {
  const sentence = (SENTENCES as Partial<Record<string, (facts: Facts, at: number) => string>>)[type];
  return sentence?.(payload, Date.parse(ts)) ?? shortFacts(payload);
}

function shortFacts(payload: Facts): string {
  const short = Object.entries(payload).filter(([, value]) => typeof value !== 'object' && text(value).length <= 60);
  return short.map(([name, value]) => `${name}=${text(value)}`).join(' ');
}

const BAD = /failed$|crashed$|invalid$|timeout$|aborted$/;
const GOOD = /completed$|validated$|ready$|recovered$/;
const WARN = /^approval\.requested$|paused$|stalled$|repaired$/;

/** The colour that says how an event went. */
export function eventLook(type: string): Style {
  if (BAD.test(type)) return theme.bad;
  if (WARN.test(type)) return theme.warn;
  return GOOD.test(type) ? theme.good : theme.accent;
}
