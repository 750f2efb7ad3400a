import { defined } from '../../../schemas/defined.ts';
import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Alarm } from '../../../schemas/rpc/views/sheet.ts';
import { sheetOf } from '../../../schemas/sheet/sheetOf.ts';
import { counted, cutTo } from '../../../schemas/text/phrases.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { RUNS } from '../../model/listQueries.ts';
import type { Model, OverlayOf } from '../../model/model.ts';
import { answerOf } from '../../model/query.ts';
import { type Line, line, span } from '../../text/line.ts';
import { gateName, shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { takesComments } from '../approvals/comments/takesComments.ts';

/** An alarm without its details, to count it over many gates. */
const ALARM_NAMES: Readonly<Record<Alarm['code'], string>> = {
  agent_decided: 'agent tried to decide',
  unreadable: 'unreadable change',
  moved: 'moved',
  uncommitted: 'uncommitted files',
  nested: 'nested repositories',
  not_done: 'tasks not done',
  unanswered: 'unanswered comments',
  audit_failed: 'failed audit',
  unconfirmed: 'unconfirmed findings',
  one_backend: 'one backend',
  low_signal: 'low signal',
  not_checked: 'not checked',
  drift: 'contract drift',
  checkout_changed: 'checkout changed',
  fake: 'fake agent',
  cost: 'cost',
};

/** The gates, those with alarms first. */
export function alarmsFirst(gates: readonly ApprovalDetail[]): ApprovalDetail[] {
  return [...gates].sort((a, b) => Number(hasAlarms(b)) - Number(hasAlarms(a)));
}

const hasAlarms = (gate: ApprovalDetail): boolean => sheetOf(gate).alarms.length > 0;

/** The alarms of all gates by name and count, because their list may not fit, and then each gate with its own. */
export function togetherQuestion(
  model: Model,
  gates: readonly ApprovalDetail[],
): Pick<OverlayOf<'confirm'>, 'detail' | 'list'> {
  const sentences = [
    ...(gates.some(hasAlarms) ? [alarmsSentence(gates)] : []),
    ...(gates.some(takesComments) ? ['A gate with comments that you did not send is left out.'] : []),
  ];
  return {
    list: gates.flatMap((gate) => gateLines(model, gate)),
    ...defined({ detail: sentences.join(' ') || undefined }),
  };
}

function alarmsSentence(gates: readonly ApprovalDetail[]): string {
  const codes = gates.flatMap((gate) => [...new Set(sheetOf(gate).alarms.map(({ code }) => code))]);
  const counts = Object.entries(ALARM_NAMES).flatMap(([code, name]) => {
    const count = codes.filter((each) => each === code).length;
    return count === 0 ? [] : [`${name} (${count})`];
  });
  const count = gates.filter(hasAlarms).length;
  return `${count} of ${counted(gates.length, 'gate')} ${count === 1 ? 'has' : 'have'} alarms: ${counts.join(', ')}.`;
}

const MOST_ALARMS = 4;
/** What a row of a window over a terminal of 80 columns has room for. */
const ALARM_LENGTH = 66;

function gateLines(model: Model, gate: ApprovalDetail): Line[] {
  const { runId, attempt, artifactHash, kind, diff } = gate;
  const run = answerOf(model.data, RUNS)?.find((each) => each.runId === runId);
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
    ...alarmTexts(gate).map((text) => line(span(`    ! ${text}`, theme.warn))),
  ];
}

/** A row each. Of many, the last row names those that have none. */
function alarmTexts(gate: ApprovalDetail): string[] {
  const { alarms } = sheetOf(gate);
  const shown = alarms.length > MOST_ALARMS ? alarms.slice(0, MOST_ALARMS - 1) : alarms;
  const rest = alarms.slice(shown.length);
  const names = new Set(rest.map(({ code }) => ALARM_NAMES[code]));
  return [
    ...shown.map(({ sentence }) => cutTo(withLocalTimes(sentence), ALARM_LENGTH)),
    ...(rest.length > 0 ? [`${rest.length} more: ${[...names].join(', ')}`] : []),
  ];
}
