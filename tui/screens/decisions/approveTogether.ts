import { defined } from '../../../schemas/defined.ts';
import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import { gateWords } from '../../../schemas/gates/gateWords.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail, ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { ApiError } from '../../model/apiError.ts';
import { type Command, call, type Model, type OverlayOf, type Step, step } from '../../model/model.ts';
import { toast } from '../../model/toast.ts';
import { type Line, line, span } from '../../text/line.ts';
import { gateName, shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { unsentWords } from '../approvals/comments/shownDrafts.ts';
import { askWhenRead } from './askWhenRead.ts';
import { alarmsFirst, togetherQuestion } from './togetherQuestion.ts';
import { areDraftsRead, askedAbout } from './unsentDrafts.ts';

export const ANSWER_IN_PANE = 'answer the agent in its pane (A attaches)';

/** Why a gate cannot be approved together with others; undefined when it can. */
export function whyNotTogether(gate: ApprovalSummary, run: RunSummary | undefined): string | undefined {
  const { state } = gate;
  if (state === 'paused') return 'the gate timed out; resume the run first';
  if (state !== 'pending') return 'the gate is already decided';
  // A gate of a failure pauses its run itself, and takes decisions meanwhile.
  if (holdsResult(gate) && run?.state === 'paused') return 'the run is paused; resume it first';
  return gateWords(gate).alone ?? undefined;
}

/** Why no marked gate can be approved now; undefined when they can. */
export function whyNoneApproved(
  model: Model,
  gates: readonly ApprovalSummary[],
  none = 'no gate is marked (Space marks one)',
): string | undefined {
  if (gates.length === 0) return none;
  if (model.link.state === 'away') return 'the daemon is not running';
  return model.busy.length > 0 ? 'another action is in progress' : undefined;
}

/** Forgets the mark of what was done. */
type Unmark = (model: Model, gate: ApprovalSummary) => Model;

/** Reads the gates that `known` has not, then asks one question that lists all of them. */
export function approveTogether(
  model: Model,
  wanted: readonly ApprovalSummary[],
  unmark: Unmark,
  known: (model: Model, id: string) => ApprovalDetail | undefined = () => undefined,
): Step {
  const unread = wanted.filter(({ id }) => !known(model, id)).map(({ id }) => id);
  const question = `Approve ${counted(wanted.length, 'gate')}?`;
  const ask = (after: Model, read: readonly ApprovalDetail[]): Step => {
    const details = new Map(read.map((gate) => [gate.id, gate]));
    const gates = alarmsFirst(wanted.flatMap(({ id }) => details.get(id) ?? known(after, id) ?? []));
    const asked: OverlayOf<'confirm'> = {
      ...({ kind: 'confirm', question, top: 0, yes: 'y', label: 'approve all' } as const),
      ...togetherQuestion(after, gates),
      // Approves what was listed, even if other gates arrive meanwhile.
      then: (sure) =>
        areDraftsRead(sure, gates)
          ? approveListed(sure, gates, unmark)
          : step({ ...toast(sure, 'warn', 'Comments are not read yet; press again.'), overlay: asked }),
    };
    return step({ ...askedAbout(after, gates), overlay: asked });
  };
  if (unread.length === 0) return ask(model, []);
  return askWhenRead<readonly ApprovalDetail[]>(model, {
    question,
    yes: 'y',
    read: (then, failed) => readNext(unread, [], then, failed),
    ask,
  });
}

function readNext(
  [first = '', ...others]: readonly string[],
  before: readonly ApprovalDetail[],
  done: (model: Model, gates: readonly ApprovalDetail[]) => Step,
  failed: (model: Model, error: ApiError) => Step,
): Command {
  const then = (after: Model, gate: ApprovalDetail): Step => {
    const read = [...before, gate];
    return others.length === 0 ? done(after, read) : step(after, readNext(others, read, done, failed));
  };
  return call('approval.get', { approvalId: first }, { doing: 'reading the gates', then, failed });
}

interface Approving {
  readonly gates: readonly ApprovalDetail[];
  readonly unmark: Unmark;
  readonly results: readonly Line[];
  readonly leftOut: readonly Line[];
}

/** Comments that were not sent are the person's second thoughts. Their gates stay marked. */
function approveListed(model: Model, listed: readonly ApprovalDetail[], unmark: Unmark): Step {
  const kept = listed.map((gate) => ({ gate, unsent: unsentWords(model, gate) }));
  return approveNext(model, {
    gates: kept.flatMap(({ gate, unsent }) => (unsent ? [] : [gate])),
    leftOut: kept.flatMap(({ gate, unsent }) => (unsent ? [leftOutLine(gate, unsent)] : [])),
    unmark,
    results: [],
  });
}

function leftOutLine(gate: ApprovalDetail, { count, words }: { count: number; words: string }): Line {
  const what = count === 1 ? 'it' : 'them';
  return line(span('• ', theme.warn), named(gate), ` left out: ${words} Open the gate to send ${what}.`);
}

/** Approves one gate after the other, so that each result belongs to its own gate. */
function approveNext(model: Model, approving: Approving): Step {
  const { gates, unmark, results } = approving;
  const gate = gates[results.length];
  if (!gate) return step(showResults(model, approving));
  const on = (after: Model, result: Line): Step => approveNext(after, { ...approving, results: [...results, result] });
  const then = (after: Model, { created }: RpcResult<'approval.decide'>): Step =>
    on(unmark(after, gate), line(span('✓ ', theme.good), named(gate), created ? ' approved' : ' was already approved'));
  const failed = (after: Model, { code, message, hint }: ApiError): Step =>
    on(after, line(span('✗ ', theme.bad), named(gate), ` refused (${code}): ${message} ${hint ?? ''}`));
  const doing = `approving ${results.length + 1} of ${gates.length}`;
  const params = { approvalId: gate.id, action: 'approve', ...defined({ shown: gate.shown }) } as const;
  return step(model, { type: 'decide', params, doing, then, failed });
}

const named = (gate: ApprovalDetail): string => `${gateName(gate)} #${gate.attempt} of run ${shortId(gate.runId)}`;

function showResults(model: Model, { results, leftOut }: Approving): Model {
  const refused = results.filter(([sign]) => sign?.text === '✗ ').length;
  const rest = leftOut.length > 0 ? `, ${leftOut.length} left out` : '';
  const title = `${results.length - refused} approved, ${refused} refused${rest}`;
  return { ...model, overlay: { kind: 'message', title, lines: [...results, ...leftOut], top: 0 } };
}
