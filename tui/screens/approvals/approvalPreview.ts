import { agentName } from '../../../schemas/mainLane.ts';
import { STALLS } from '../../../schemas/states/stall.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { age } from '../../../schemas/time/duration.ts';
import type { Model, Size } from '../../model/model.ts';
import { answerOf, errorOf } from '../../model/query.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { sessionStateWord, stallWords } from '../../text/sessionWords.ts';
import { theme } from '../../text/theme.ts';
import { sectionsLine } from '../../widgets/sections.ts';
import { approvalHeadLines } from './approvalHead.ts';
import { approvalQuery } from './approvalQueries.ts';
import { sectionsOf } from './approvalSections.ts';
import type { ApprovalsItem } from './approvalsItems.ts';

/** Beside the list: the question, and the beginning of what is under decision. */
export function approvalPreview(model: Model, item: ApprovalsItem, { columns, rows }: Size): readonly Line[] {
  if (item.kind === 'agent') return agentLines(model, item, columns);
  const wanted = approvalQuery(item.gate.id);
  const approval = answerOf(model.data, wanted);
  if (!approval) {
    const error = errorOf(model.data, wanted);
    return wrap(error?.message ?? 'Loading…', columns, error ? theme.bad : theme.muted);
  }
  const sections = sectionsOf(model, approval);
  const [first] = sections;
  const head = approvalHeadLines(model, approval, columns, true);
  const text = first?.lines(columns - 1, false) ?? [];
  const room = Math.max(0, rows - head.length - 1);
  const more = text.length - room;
  const shown = (more > 0 ? text.slice(0, room - 1) : text).map((each) => line(' ', ...each));
  const rest = more > 0 ? [line(span(` ⋯ ${counted(more + 1, 'more line')}; Enter shows all`, theme.muted))] : [];
  return [...head, line(' ', ...sectionsLine(sections, first?.id ?? '')), ...shown, ...rest];
}

function agentLines(
  model: Model,
  { session, stall }: Extract<ApprovalsItem, { kind: 'agent' }>,
  columns: number,
): Line[] {
  const todo = `Press A. ${STALLS[stall.cause].todo} in the pane.`;
  return [
    line(' ', ...sessionStateWord(session.state), '  ', span(agentName(session), theme.title), ` ${session.backend}`),
    ...wrap(`It ${stallWords(stall, model.now)}.`, columns - 2, theme.warn).map((each) => line(' ', ...each)),
    line(span(` for ${age(stall.since, model.now)}`, theme.muted)),
    EMPTY,
    ...wrap(`${todo} Enter shows the transcript.`, columns - 2, theme.muted).map((each) => line(' ', ...each)),
  ];
}
