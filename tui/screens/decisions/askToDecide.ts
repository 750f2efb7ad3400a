import { defined } from '../../../schemas/defined.ts';
import { gateWords } from '../../../schemas/gates/gateWords.ts';
import type { ApprovalDetail, ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { sheetOf } from '../../../schemas/sheet/sheetOf.ts';
import { REJECT_DETAIL } from '../../../schemas/states/gate.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { RUNS } from '../../model/listQueries.ts';
import { call, type Model, type OverlayOf, type Reply, type Step, step } from '../../model/model.ts';
import { goTo } from '../../model/place.ts';
import { answerOf, query, withAnswer } from '../../model/query.ts';
import { toast } from '../../model/toast.ts';
import { EMPTY, type Line, line, span } from '../../text/line.ts';
import { gateName, repositoryName, shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { unsentWords } from '../approvals/comments/shownDrafts.ts';
import { askWhenRead } from './askWhenRead.ts';
import { decidableFrom, decideWith, JUST_APPEARED, whyNotTaken } from './decideWith.ts';
import { shownSince } from './rowGate.ts';
import { askedAbout } from './unsentDrafts.ts';

type Action = 'approve' | 'reject';

/** Reads the gate of the selected row and shows the head of its page. Only `y` decides, and only what is shown. */
export function askToDecide(model: Model, { id, ...gate }: ApprovalSummary, action: Action): Step {
  const since = shownSince(model, id);
  const wanted = query('approval.get', { approvalId: id });
  return askWhenRead<ApprovalDetail>(model, {
    question: `${{ approve: 'Approve', reject: 'Reject' }[action]} ${gateName(gate)}?`,
    yes: 'y',
    read: (then, failed) => call('approval.get', { approvalId: id }, { doing: 'reading the gate', then, failed }),
    ask(after, detail) {
      const model = withAnswer(after, wanted, { value: detail });
      const why = whyNotTaken(model, detail, action);
      return step(
        why === undefined
          ? { ...askedAbout(model, [detail]), overlay: question(model, detail, action, since) }
          : toast(model, 'warn', `${action}: ${why}.`),
      );
    },
  });
}

function question(model: Model, gate: ApprovalDetail, action: Action, since: number): OverlayOf<'confirm'> {
  const { id, shown } = gate;
  const { runTitle, decides, leadsTo } = sheetOf(gate);
  const [asks, detail] =
    action === 'approve'
      ? [withLocalTimes(decides), leadsTo.find((each) => each.action === action)?.sentence]
      : rejectQuestion(gate);
  const params = { approvalId: id, action, ...defined({ shown }) };
  const overlay: OverlayOf<'confirm'> = {
    kind: 'confirm',
    question: asks,
    list: headLines(model, gate),
    top: 0,
    yes: 'y',
    label: action,
    others: [openGate(gate)],
    ...defined({ title: runTitle || undefined, detail }),
    then(sure) {
      const tooEarly = decidableFrom(sure, since) === undefined ? undefined : JUST_APPEARED;
      const why = whyNotTaken(sure, gate, action) ?? tooEarly;
      if (why !== undefined) return step({ ...toast(sure, 'warn', `${action}: ${why}.`), overlay });
      const send = (last: Model): Step => step(last, { type: 'decide', params, ...decideWith(last, gate) });
      const left = action === 'approve' ? unsentWords(sure, gate) : undefined;
      if (!left) return send(sure);
      const detail = `${left.words} Open the gate to send ${left.count === 1 ? 'it' : 'them'}.`;
      return step({ ...sure, overlay: { ...overUnsent(gate, detail, send), others: [openGate(gate)] } });
    },
  };
  return overlay;
}

/** Comments that were not sent stay with the person, who may have forgotten them. */
export function overUnsent(gate: ApprovalDetail, detail: string, then: (model: Model) => Step): OverlayOf<'confirm'> {
  const question = `Approve ${gateName(gate)} without your comments?`;
  return { kind: 'confirm', question, detail, yes: 'y', label: 'approve', then };
}

const openGate = ({ id }: ApprovalDetail): Reply => ({
  key: 'enter',
  label: 'open',
  then: (model) => step(goTo(model, { screen: 'approval', id })),
});

/** The alarms, and what exactly is decided. */
function headLines(model: Model, gate: ApprovalDetail): Line[] {
  const { runId, artifactHash, attempt, diff } = gate;
  const run = answerOf(model.data, RUNS)?.find((each) => each.runId === runId);
  const alarms = sheetOf(gate).alarms.map(({ sentence }) =>
    line(span('! ', theme.warn), span(withLocalTimes(sentence), theme.warn)),
  );
  return [
    ...alarms,
    ...(alarms.length > 0 ? [EMPTY] : []),
    line(
      span(gateName(gate), theme.title),
      ` attempt ${attempt}`,
      span(`  run ${shortId(runId)}`, theme.accent),
      run && ` ${repositoryName(run)}`,
    ),
    ...(artifactHash === null ? [] : [line(span('hash '), span(artifactHash.slice(0, 12), theme.accent))]),
    ...(diff === null
      ? []
      : [line(`${counted(diff.files.length, 'file')} at `, span(diff.head.slice(0, 12), theme.accent))]),
  ];
}

/** The question before a rejection, and what it does. */
export function rejectQuestion(gate: ApprovalDetail): readonly [question: string, detail: string] {
  const { keep } = gateWords(gate);
  return keep ?? [`Reject ${gateName(gate)}?`, gate.consequences?.reject ?? REJECT_DETAIL];
}
