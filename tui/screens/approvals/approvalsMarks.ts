import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import { gateWords } from '../../../schemas/gates/gateWords.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { ApiError } from '../../model/apiError.ts';
import type { Binding } from '../../model/binding.ts';
import { call, type Model, type Step, step } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, type Query, withAnswer } from '../../model/query.ts';
import { toast } from '../../model/toast.ts';
import { type Line, line, span } from '../../text/line.ts';
import { gateName, shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { approvalQuery } from './approvalQueries.ts';
import { type ApprovalsItem, waitingItems } from './approvalsItems.ts';

/** Ids of marked gates. A gate that was decided meanwhile no longer counts. */
const state = screenState<{ readonly ids: readonly string[] }>('approvals.marks', { ids: [] });

type Gate = Extract<ApprovalsItem, { kind: 'gate' }>;

/** The marked gates that still wait, in the order of the list. */
function markedGates(model: Model): readonly Gate[] {
  const { ids } = state.get(model);
  if (ids.length === 0) return [];
  return waitingItems(model).filter(
    (item): item is Gate => item.kind === 'gate' && isMarkable(item) && ids.includes(item.gate.id),
  );
}

export function isMarked(model: Model, item: ApprovalsItem): boolean {
  return item.kind === 'gate' && isMarkable(item) && state.get(model).ids.includes(item.gate.id);
}

const isMarkable = (item: ApprovalsItem): boolean => whyNotMarked(item) === undefined;

/** Why a gate cannot be marked; undefined when it can. */
function whyNotMarked(item: ApprovalsItem): string | undefined {
  if (item.kind === 'agent') return 'answer the agent in its pane (A attaches)';
  const { state: is } = item.gate;
  if (is === 'paused') return 'the gate timed out; resume the run first';
  if (is !== 'pending') return 'the gate is already decided';
  // A gate of a failure pauses its run itself, and takes decisions meanwhile.
  if (holdsResult(item.gate) && item.run?.state === 'paused') return 'the run is paused; resume it first';
  return gateWords(item.gate).alone ?? undefined;
}

/** The confirmation shows the marked gates in full. */
export function markedQueries(model: Model): readonly Query[] {
  return markedGates(model).map(({ gate }) => approvalQuery(gate.id));
}

export function marksTitle(model: Model): string {
  const count = markedGates(model).length;
  return count === 0 ? '' : `, ${count} marked`;
}

/** `Space` marks a gate, `*` marks all filtered gates, `a` approves the marked ones after one question that lists them. */
export function markBindings(list: {
  selected(model: Model): ApprovalsItem | undefined;
  rows(model: Model): readonly ApprovalsItem[];
  next(model: Model): Model;
}): readonly Binding[] {
  return [
    {
      id: 'approvals.mark',
      keys: [' '],
      label: 'mark',
      footer: true,
      help: 'Mark or unmark the gate and select the next one; a approves the marked gates together',
      disabled(model) {
        const item = list.selected(model);
        return item ? whyNotMarked(item) : 'no gate is selected';
      },
      run(model) {
        const item = list.selected(model);
        if (item?.kind !== 'gate') return step(model);
        const { ids } = state.get(model);
        const { id } = item.gate;
        const now = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
        return step(list.next(state.set(model, { ids: now })));
      },
    },
    {
      id: 'approvals.markAll',
      keys: ['*'],
      label: 'mark all',
      help: 'Mark every listed gate that can be approved, or unmark all',
      disabled: (model) => (list.rows(model).some(isMarkable) ? undefined : 'no listed gate can be marked'),
      run(model) {
        const shown = list.rows(model).filter((item): item is Gate => item.kind === 'gate' && isMarkable(item));
        if (shown.every((item) => isMarked(model, item))) return step(state.set(model, { ids: [] }));
        const left = list.rows(model).filter((item) => !isMarkable(item));
        const ids = [...new Set([...state.get(model).ids, ...shown.map(({ gate }) => gate.id)])];
        const marked = state.set(model, { ids });
        const [first] = left;
        if (!first) return step(marked);
        const say = `Marked ${counted(shown.length, 'gate')}, skipped ${left.length}: ${whyNotMarked(first)}.`;
        return step(toast(marked, 'warn', say));
      },
    },
    {
      id: 'approvals.approve',
      keys: ['a'],
      label: 'approve marked',
      help: 'Approve all marked gates after one question that lists them, each with its attempt and hash',
      disabled(model) {
        const marked = markedGates(model);
        if (marked.length === 0) return 'no gate is marked (Space marks one)';
        if (model.link.state === 'away') return 'the daemon is not running';
        return model.busy.length > 0 ? 'another action is in progress' : undefined;
      },
      run: askToApprove,
    },
  ];
}

/** Reads the marked gates that are not loaded yet, then asks. */
function askToApprove(model: Model): Step {
  // On another screen or under an overlay, the next key is not meant for this question.
  if (model.place.screen !== 'approvals' || model.overlay) return step(model);
  const unread = markedGates(model).find(({ gate }) => !answerOf(model.data, approvalQuery(gate.id)));
  if (unread) {
    const asked = approvalQuery(unread.gate.id);
    const then = (after: Model, value: ApprovalDetail): Step => askToApprove(withAnswer(after, asked, { value }));
    return step(
      model,
      call('approval.get', asked.params as { approvalId: string }, { doing: 'reading the gates', then }),
    );
  }
  const gates = markedGates(model).flatMap(({ gate }) => answerOf(model.data, approvalQuery(gate.id)) ?? []);
  const question = `Approve ${counted(gates.length, 'gate')}?`;
  // Approves what was listed, even if other gates arrive meanwhile.
  const then = (sure: Model): Step => approveNext(sure, gates, []);
  const list = gates.flatMap((gate) => gateLines(model, gate));
  return step({ ...model, overlay: { kind: 'confirm', question, list, top: 0, yes: 'y', label: 'approve all', then } });
}

function gateLines(model: Model, gate: ApprovalDetail): Line[] {
  const { runId, attempt, artifactHash, uncommittedFiles, moved, kind, diff } = gate;
  const run = waitingItems(model).find((item) => item.kind === 'gate' && item.gate.id === gate.id)?.run;
  const warnings = [
    ...(moved ? [moved] : []),
    ...(uncommittedFiles ? [`${counted(uncommittedFiles, 'file is', 'files are')} not committed`] : []),
  ];
  return [
    line(
      span('• ', theme.accent),
      span(holdsResult(gate) ? gateName(gate) : `${kind} ${gate.phaseKey ?? ''}`, theme.title),
      ` #${attempt}`,
      span(`  run ${shortId(runId)}`, theme.accent),
      run && ` ${run.repoPath.split('/').at(-1)}`,
      span(artifactHash === null ? '' : `  hash ${artifactHash.slice(0, 12)}`, theme.muted),
      diff !== null && span(`  ${counted(diff.files.length, 'file')}`, theme.muted),
    ),
    ...warnings.map((warning) => line(span(`    ! ${warning}`, theme.warn))),
  ];
}

/** Approves one gate after the other, so that each result belongs to its own gate. */
function approveNext(model: Model, gates: readonly ApprovalDetail[], results: readonly Line[]): Step {
  const gate = gates[results.length];
  if (!gate) return step(showResults(model, results));
  const on = (after: Model, result: Line): Step => approveNext(after, gates, [...results, result]);
  const then = (after: Model, { created }: RpcResult<'approval.decide'>): Step =>
    on(
      state.set(after, { ids: state.get(after).ids.filter((each) => each !== gate.id) }),
      line(span('✓ ', theme.good), named(gate), created ? ' approved' : ' was already approved'),
    );
  const failed = (after: Model, { code, message, hint }: ApiError): Step =>
    on(after, line(span('✗ ', theme.bad), named(gate), ` refused (${code}): ${message} ${hint ?? ''}`));
  const doing = `approving ${results.length + 1} of ${gates.length}`;
  return step(model, { type: 'decide', params: { approvalId: gate.id, action: 'approve' }, doing, then, failed });
}

const named = (gate: ApprovalDetail): string => `${gateName(gate)} #${gate.attempt} of run ${shortId(gate.runId)}`;

function showResults(model: Model, results: readonly Line[]): Model {
  const refused = results.filter(([sign]) => sign?.text === '✗ ').length;
  const title = `${results.length - refused} approved, ${refused} refused`;
  return { ...model, overlay: { kind: 'message', title, lines: results, top: 0 } };
}
