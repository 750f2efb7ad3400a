import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import { isTerminal } from '../../../schemas/names.ts';
import type { EventView, RunDetail } from '../../../schemas/rpc/views/run.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import type { Model, Size } from '../../model/model.ts';
import { answerOf, type QueryOf, query } from '../../model/query.ts';
import { eventLook, eventSentence } from '../../text/eventWords.ts';
import { EMPTY, fitWidth, type Line, line, span, wrap } from '../../text/line.ts';
import { baseName, gateName, gateWord, runWord, shortId, waitWords } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { clock } from '../../text/time.ts';
import { phasesChangeAt, timelineRow } from '../../widgets/timeline.ts';
import { messageLines } from '../messages/messageLines.ts';
import { defaultSession } from '../run/shownRun.ts';

const NEWEST = 8;
/** Reads of the newest events start at a multiple of this. Otherwise each new event would change the query. */
const STEP = 50;

/** The selected run and the end of its log; the whole log may be long. */
export function previewQueries(model: Model, runId: string | undefined): QueryOf<'run.get' | 'run.events'>[] {
  if (runId === undefined) return [];
  const run = query('run.get', { runId });
  const detail = answerOf(model.data, run);
  return detail ? [run, newestOf(detail)] : [run];
}

function newestOf({ runId, lastSeq }: RunDetail): QueryOf<'run.events'> {
  const afterSeq = Math.floor(Math.max(0, lastSeq - NEWEST) / STEP) * STEP;
  return query('run.events', { runId, afterSeq, limit: STEP + NEWEST });
}

/** The facts that a person wants before opening the run, the most urgent first. */
export function previewLines(model: Model, runId: string, { columns, rows }: Size): Line[] {
  const run = answerOf(model.data, query('run.get', { runId }));
  if (!run) return [line(span('Loading…', theme.muted))];
  const head = line(
    ...runWord(run),
    '  ',
    span(shortId(run.runId), theme.accent),
    '  ',
    baseName(run.repoPath),
    span(`  ${run.template}`, theme.muted),
  );
  const gates = run.approvals.filter((gate) => blocksRun(gate) && gate.state === 'pending');
  const events = (answerOf(model.data, newestOf(run)) ?? []).slice(-NEWEST);
  const urgent = [
    ...(run.waitingFor === null
      ? []
      : [line(span('waiting for ', theme.muted), span(waitWords(run.waitingFor), look(run)))]),
    ...(run.reason === null ? [] : wrap(withLocalTimes(run.reason), columns, theme.bad).slice(0, 2)),
    // The line above names a single gate.
    ...(gates.length === 1 && run.waitsForPerson ? [] : gates).map((gate) =>
      line(...gateWord(gate), '  ', gateName(gate)),
    ),
  ];
  const wanted = requirements(run.requirements, columns, rows > 16 ? 4 : 1);
  const phases = run.phases.map((phase) => timelineRow(phase, run.phases, model.now, columns));
  // If the rows do not suffice, the phases come first and the log keeps its newest events.
  const session = isTerminal(run.state) ? undefined : defaultSession(run);
  const said = session ? messageLines(model, session, { columns, rows: rows > 16 ? 5 : 2 }) : [];
  const fixed = [head, ...urgent, ...wanted, ...said];
  const roomy = fixed.length + phases.length + events.length + 3 <= rows;
  const apart: Line[] = roomy ? [EMPTY] : [];
  const top = [...fixed, ...apart, ...phases.slice(0, Math.max(1, rows - fixed.length)), ...apart];
  const left = Math.max(0, rows - top.length);
  return [...top, ...(left === 0 ? [] : events.slice(-left).map((event) => eventLine(model, event)))].map((each) =>
    fitWidth(each, columns),
  );
}

export function previewChangesAt(model: Model, runId: string | undefined): number | undefined {
  const run = runId === undefined ? undefined : answerOf(model.data, query('run.get', { runId }));
  return run && phasesChangeAt(run.phases, model.now);
}

function look({ waitsForPerson }: RunDetail) {
  return waitsForPerson ? theme.warn : undefined;
}

/** Without headings and empty lines: the preview has few rows. */
function requirements(text: string, columns: number, most: number): Line[] {
  const lines = text.split('\n').filter((each) => each.trim() !== '' && !/^#+\s*requirements?\s*$/i.test(each));
  return lines.slice(0, most).map((each) => fitWidth(line(span(each.replace(/^#+\s*/, ''), theme.muted)), columns));
}

function eventLine({ now }: Model, event: EventView): Line {
  return line(
    span(`${clock(event.ts, now)} `, theme.muted),
    ...fitWidth(line(span(event.type, eventLook(event.type))), 20),
    ' ',
    eventSentence(event),
  );
}
