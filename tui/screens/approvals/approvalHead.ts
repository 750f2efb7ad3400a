import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Sheet } from '../../../schemas/rpc/views/sheet.ts';
import { sheetOf } from '../../../schemas/sheet/sheetOf.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import type { Model } from '../../model/model.ts';
import { type Line, line, type Style, span, wrap } from '../../text/line.ts';
import { gateWord, repositoryName, shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { findRun } from '../runs/allRuns.ts';
import { HEAD_ROWS } from './approvalSections.ts';
import { reviewWarnings } from './comments/reviewWarnings.ts';
import { fileFaults } from './diffOf.ts';

/**
 * The gate, its question, and what a person must know in every section. The sheet lists all alarms, so beside it the head has
 * only those that its own page cannot know.
 */
export function approvalHeadLines(model: Model, approval: ApprovalDetail, columns: number, isSheet: boolean): Line[] {
  const { decisions } = approval;
  const sheet = sheetOf(approval);
  const say = (text: string, look?: Style, most = HEAD_ROWS): Line[] => {
    const lines = wrap(text, columns - 3, look);
    const kept = lines.slice(0, most).map((each) => line(' ', ...each));
    return lines.length > most ? [...kept.slice(0, -1), line(...(kept.at(-1) ?? []), span('…', look))] : kept;
  };
  return [
    ...whereLines(model, approval),
    ...say(withLocalTimes(sheet.decides), theme.accent),
    ...(isSheet ? [] : alarmLines(sheet)).flatMap((alarm) => say(`! ${alarm}`, theme.warn, 1)),
    ...[...stateWarnings(approval), ...reviewWarnings(model, approval), ...fileFaults(model, approval)].flatMap(
      (warning) => say(`! ${warning}`, theme.warn),
    ),
    ...decisions.flatMap(({ action, comment, decidedAt }) =>
      say(
        `Decided ${age(decidedAt, model.now)} ago: ${action.replace('_', ' ')}${comment ? `: ${comment}` : '.'}`,
        theme.good,
      ),
    ),
  ];
}

const MOST_ALARMS = 3;

function alarmLines({ alarms }: Pick<Sheet, 'alarms'>): string[] {
  const shown = alarms.slice(0, MOST_ALARMS).map(({ sentence }) => withLocalTimes(sentence));
  const rest = alarms.length - MOST_ALARMS;
  return rest > 0 ? [...shown.slice(0, -1), `${counted(rest + 1, 'more alarm')}: see the sheet`] : shown;
}

function stateWarnings({ state, actions }: ApprovalDetail): string[] {
  if (state === 'paused') return ['The gate timed out and paused its run. Open the run (u) and resume it first.'];
  const isHeld = state === 'pending' && actions.length === 0;
  return isHeld ? ['The run is paused. Open it (u) and resume it before you decide.'] : [];
}

/** The title of the run, and the place of the gate in it. */
function whereLines(model: Model, approval: ApprovalDetail): Line[] {
  const { runId, gateKey, phaseKey, attempt, createdAt } = approval;
  const run = findRun(model, runId);
  const phase = phaseKey === null || phaseKey === '' ? '' : `  ${phaseKey}, attempt ${attempt}`;
  const { runTitle } = sheetOf(approval);
  const where = line(
    ' ',
    ...gateWord(approval),
    '  ',
    span(gateKey, holdsResult(approval) ? theme.title : theme.bad),
    phase,
    span(`  ${age(createdAt, model.now)} ago`, theme.muted),
    span('  run ', theme.muted),
    span(shortId(runId), theme.accent),
    run && ` ${repositoryName(run)}`,
    run && span(`  ${run.template}`, theme.muted),
  );
  return runTitle === '' ? [where] : [line(' ', span(runTitle, theme.title)), where];
}
