import type { EventView, RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { eventLook, eventSentence } from '../../text/eventWords.ts';
import { fitWidth, type Line, line, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { shortClock } from '../../text/time.ts';
import { createLog, LOG_START, type LogState } from '../../widgets/log.ts';
import { listSection, type RunSection } from './runSection.ts';
import { sectionSize, shownRun, shownRunId } from './shownRun.ts';

const NONE: readonly EventView[] = [];
const TYPE = 23;
/** From these widths on, a row shows its number and its phase. */
const NUMBER_FROM = 100;
const PHASE_FROM = 120;

const log = createLog<EventView>({
  name: 'run.events',
  state: screenState<LogState>('run events', LOG_START),
  source(model) {
    const known = model.logs.get(shownRunId(model));
    return { items: known?.events ?? NONE, count: known?.count ?? 0 };
  },
  textOf: (event, model) =>
    [
      event.seq,
      shortClock(event.ts, model.now),
      phaseOf(event, shownRun(model)),
      event.type,
      eventSentence(event),
    ].join(' '),
  height: (model) => sectionSize(model).rows,
});

/** The live log. New events arrive only while it is shown; loaded events stay. */
export const events: RunSection = {
  id: 'events',
  title: 'Events',
  count: ({ lastSeq }) => lastSeq,
  ...listSection(log, 'event', ({ seq }) => String(seq)),
  streams: (model) => [{ type: 'events', runId: shownRunId(model) }],
  view: (model, run, size) =>
    log.view(model, size, (event, columns) => eventLine(event, model, run, columns), 'Loading…'),
};

/** The numbers have no gaps, so the number gives the position. Searches only if it does not. */
export function eventOf(model: Model, seq: number): EventView | undefined {
  const known = model.logs.get(shownRunId(model));
  const near = known?.events[seq - 1];
  return near?.seq === seq ? near : known?.events.find((each) => each.seq === seq);
}

function phaseOf({ phaseId }: EventView, run: RunDetail | undefined): string {
  return run?.phases.find((phase) => phase.phaseId === phaseId)?.key ?? '';
}

function eventLine(event: EventView, model: Model, run: RunDetail, columns: number): Line {
  return line(
    columns >= NUMBER_FROM && span(`${String(event.seq).padStart(6)}  `, theme.muted),
    span(`${shortClock(event.ts, model.now)}  `, theme.muted),
    ...(columns >= PHASE_FROM ? fitWidth(line(span(phaseOf(event, run), theme.muted)), 16) : []),
    ...fitWidth(line(span(event.type, eventLook(event.type))), TYPE),
    ' ',
    eventSentence(event),
  );
}
