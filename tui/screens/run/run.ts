import { widthOf } from '../../../cli/client/textWidth.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, step } from '../../model/model.ts';
import { goTo } from '../../model/place.ts';
import { errorOf } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { line, span, spread, textOf, withStyle } from '../../text/line.ts';
import { shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { sectionsLine } from '../../widgets/sections.ts';
import { messageBindings } from '../messages/messageBindings.ts';
import { waitingQueries } from '../messages/messageLines.ts';
import { attachBindings } from '../targets/attachBindings.ts';
import { mergeTargets, NO_TARGETS, type Targets, targetBindings } from '../targets/targets.ts';
import { targetsOfRunDetail } from '../targets/targetsOf.ts';
import { runActions } from './runActions.ts';
import { runChangesAt, runHeader } from './runHeader.ts';
import { movementBindings, sectionBindings } from './runMovements.ts';
import { openedQueries, openedReader, openedTargets, openedView } from './runOpened.ts';
import { sectionsOf, shownSection } from './runSections.ts';
import { defaultSession, pendingGate, runQuery, runState, sectionSize, shownRun, shownRunId } from './shownRun.ts';

function chosenSession(model: Model) {
  const run = shownRun(model);
  const selected = run && shownSection(model).session?.(model, run);
  return run?.sessions.find(({ sessionId }) => sessionId === selected) ?? defaultSession(run);
}

/** The open or selected item first, then the run. */
function targetsOf(model: Model): Targets {
  const detail = shownRun(model);
  const { opened } = runState.get(model);
  const selected = detail && (shownSection(model).targets?.(model, detail) ?? NO_TARGETS);
  const shown = opened ? openedTargets(model, opened) : selected;
  return mergeTargets(shown ?? NO_TARGETS, targetsOfRunDetail(detail) ?? NO_TARGETS);
}

/** The gate of the selected item, else the first that waits. */
function chosenGate(model: Model) {
  const run = shownRun(model);
  const selected = run && shownSection(model).gate?.(model, run);
  return run?.approvals.find(({ id }) => id === selected) ?? pendingGate(run);
}

const actions: readonly Binding[] = [
  {
    id: 'run.open',
    keys: ['enter', 'l', 'right'],
    label: 'open',
    footer: true,
    help: 'Open the selected gate, session, finding, handover, iteration, event, artifact or command',
    disabled(model) {
      const run = shownRun(model);
      if (!run) return 'the run is not loaded yet';
      if (runState.get(model).opened) return 'the item is open already';
      const opened = shownSection(model).open?.(model, run) ?? 'this section has nothing to open';
      return typeof opened === 'string' ? opened : undefined;
    },
    run(model) {
      const run = shownRun(model);
      const opened = run && shownSection(model).open?.(model, run);
      if (typeof opened !== 'object') return step(model);
      return step(openedReader.reset(opened.model), ...opened.commands);
    },
  },
  {
    id: 'run.decide',
    keys: ['d'],
    label: 'decide',
    help: 'Open the selected gate, or the first that waits for you',
    footer: true,
    disabled: (model) => (chosenGate(model) ? undefined : 'no gate waits for you'),
    run(model) {
      const gate = chosenGate(model);
      return step(gate ? goTo(model, { screen: 'approval', id: gate.id }) : model);
    },
  },
  {
    id: 'run.session',
    keys: ['s'],
    label: 'session',
    help: 'Open the selected session, or the one that needs you most',
    disabled: (model) => (chosenSession(model) ? undefined : 'the run has no session yet'),
    run(model) {
      const session = chosenSession(model);
      return step(session ? goTo(model, { screen: 'session', id: session.sessionId }) : model);
    },
  },
  {
    id: 'run.measurements',
    keys: ['B'],
    label: 'measurements',
    help: 'Show what the run measured in its iterations',
    when: (model) => (shownRun(model)?.objective ?? null) !== null,
    run: (model) => step(goTo(model, { screen: 'loop', id: shownRunId(model) })),
  },
  ...attachBindings('run', chosenSession),
  ...messageBindings('run', {
    sessionOf: chosenSession,
    gatesOf: (model) => shownRun(model)?.approvals.filter(({ state }) => state === 'pending') ?? [],
  }),
  ...runActions('run', shownRun),
  ...targetBindings('run', targetsOf),
  {
    id: 'run.as written',
    keys: ['w'],
    label: 'as written',
    footer: true,
    help: 'Show the artifact as written, or formatted',
    disabled: (model) => (runState.get(model).opened?.kind === 'artifact' ? undefined : 'no artifact is open'),
    run: (model) => step(runState.set(model, { asWritten: !runState.get(model).asWritten })),
  },
];

export const run: Screen = {
  id: 'run',
  tab: 'runs',
  title: (model) => `Run ${shortId(shownRunId(model))}`,
  queries: (model) => [
    runQuery(model),
    ...(shownSection(model).queries?.(model) ?? []),
    ...openedQueries(runState.get(model).opened),
    ...(shownRun(model)?.sessions ?? []).flatMap(waitingQueries),
  ],
  streams: (model) => shownSection(model).streams?.(model) ?? [],
  bindings: [...actions, ...sectionBindings, ...movementBindings],
  changesAt(model) {
    const detail = shownRun(model);
    return detail && runChangesAt(detail, model.now);
  },
  view(model, { columns }) {
    const detail = shownRun(model);
    if (!detail) {
      const error = errorOf(model.data, runQuery(model));
      return [line(span(` ${error?.message ?? 'Loading…'}`, error ? theme.bad : theme.muted))];
    }
    const section = shownSection(model);
    const titles = sectionsOf(detail).map(({ id, title, count }) => ({ id, title, count: count?.(detail) }));
    const size = sectionSize(model);
    const at = runState.get(model).opened ? '' : (section.where?.(model) ?? '');
    const tabs = line(' ', ...sectionsLine(titles, section.id, columns - 1));
    // The section names matter more than the position.
    const hasRoom = widthOf(textOf(tabs).trimEnd()) + at.length + 2 <= columns;
    const where = line(hasRoom && at !== '' && span(`${at} `, theme.muted));
    return [
      ...runHeader(detail, model.now, columns),
      withStyle(spread(tabs, where, columns), theme.bar),
      ...(runState.get(model).opened ? openedView(model, size) : section.view(model, detail, size)),
    ];
  },
  typing: (model) =>
    (runState.get(model).opened ? openedReader.typing(model) : shownSection(model).typing?.(model)) ?? false,
  onKey(model, key) {
    if (!runState.get(model).opened) return shownSection(model).onKey?.(model, key);
    return openedReader.onKeyOver(model, key, runState.set(model, { opened: undefined }));
  },
  onMouse(model, at, size) {
    const detail = shownRun(model);
    if (!detail) return undefined;
    const head = runHeader(detail, model.now, size.columns).length + 1;
    if (runState.get(model).opened) return openedReader.onMouse(model, at);
    if (at.row < head) return undefined;
    const below = { ...at, row: at.row - head };
    const moved = shownSection(model).onMouse?.(model, below, sectionSize(model));
    if (moved || at.action !== 'click') return moved;
    const opened = shownSection(model).open?.(model, detail);
    return typeof opened === 'object' ? step(openedReader.reset(opened.model), ...opened.commands) : undefined;
  },
};
