import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { uncommittedNote } from '../../../schemas/worktreeState.ts';
import type { Model } from '../../model/model.ts';
import { type Line, line, type Style, span, wrap } from '../../text/line.ts';
import { gateWord, repositoryName, shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { findRun } from '../runs/allRuns.ts';
import { askedBefore } from './approvalQueries.ts';

/** The question, its run, and what a person must know before they decide. */
export function approvalHeadLines(model: Model, approval: ApprovalDetail, columns: number): Line[] {
  const { question, uncommittedFiles, nestedRepositories: nested, moved, decisions, state } = approval;
  const say = (text: string, look?: Style, most = 2): Line[] => {
    const lines = wrap(text, columns - 3, look);
    const kept = lines.slice(0, most).map((each) => line(' ', ...each));
    return lines.length > most ? [...kept.slice(0, -1), line(...(kept.at(-1) ?? []), span('…', look))] : kept;
  };
  const warnings: string[] = moved ? [moved] : [];
  if (uncommittedFiles) warnings.push(uncommittedNote(uncommittedFiles));
  for (const { sessionId, roleId, action, at } of approval.refused ?? []) {
    const who = roleId ?? `session ${shortId(sessionId)}`;
    warnings.push(`The agent of ${who} tried to decide (${action}) ${age(at, model.now)} ago. devflow refused.`);
  }
  if (nested) warnings.push(`Git repositories left out of the commit: ${nested.join(', ')}`);
  if (state === 'paused') warnings.push('The gate timed out and paused its run. Open the run (u) and resume it first.');
  else if (state === 'pending' && approval.actions.length === 0)
    warnings.push('The run is paused. Open it (u) and resume it before you decide.');
  const asked = askedBefore(model, approval);
  return [
    whereLine(model, approval),
    ...say(withLocalTimes(question), theme.title),
    ...measuredLines(approval).flatMap((text) => say(text, theme.muted, 1)),
    ...warnings.flatMap((warning) => say(`! ${warning}`, theme.warn)),
    ...(asked === undefined ? [] : say(`You asked for: ${asked.replaceAll('\n', ' ')}`, theme.accent)),
    ...decisions.flatMap(({ action, comment, decidedAt }) =>
      say(
        `Decided ${age(decidedAt, model.now)} ago: ${action.replace('_', ' ')}${comment ? `: ${comment}` : '.'}`,
        theme.good,
      ),
    ),
  ];
}

const MOST_MEASURED = 8;

/** The measured values of a loop. An objective may have more targets than the head has room for. */
function measuredLines({ measured = [] }: ApprovalDetail): string[] {
  const rest = measured.length - MOST_MEASURED;
  return rest > 0 ? [...measured.slice(0, MOST_MEASURED), `and ${rest} more: devflow approval show`] : measured;
}

function whereLine(model: Model, approval: ApprovalDetail): Line {
  const { runId, gateKey, phaseKey, attempt, createdAt } = approval;
  const run = findRun(model, runId);
  const phase = phaseKey === null || phaseKey === '' ? '' : `  ${phaseKey}, attempt ${attempt}`;
  return line(
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
}
