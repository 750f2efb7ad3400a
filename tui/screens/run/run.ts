import { widthOf } from '../../../cli/client/textWidth.ts';
import type { Binding } from '../../model/binding.ts';
import type { Model } from '../../model/model.ts';
import { goTo } from '../../model/navigate.ts';
import { errorOf } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { step } from '../../model/step.ts';
import { line, span, spread, textOf, withStyle } from '../../text/line.ts';
import { shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { sectionsLine } from '../../widgets/sections.ts';
import { detailThings } from '../runThings.ts';
import { attachBindings } from '../sessions/sessionActions.ts';
import { NO_THINGS, type Things, thingBindings, together } from '../things.ts';
import { runActions } from './runActions.ts';
import { runChangesAt, runHeader } from './runHeader.ts';
import { pendingGate, runHere, runId, runQuery, runState, sectionSize, sessionInNeed } from './runHere.ts';
import { openedQueries, openedReader, openedThings, openedView } from './runOpened.ts';
import { SECTIONS, sectionHere, selectedSession } from './runSections.ts';

/** One set of keys for all sections: the section shown decides what a key does. */
const MOVES: readonly (readonly [id: string, keys: readonly string[], help: string])[] = [
  ['down', ['j', 'down'], 'Select the next item, or scroll down a line'],
  ['up', ['k', 'up'], 'Select the previous item, or scroll up a line'],
  ['page down', ['C-d', 'pagedown'], 'Go down a page'],
  ['page up', ['C-u', 'pageup'], 'Go up a page'],
  ['first', ['g', 'home'], 'Go to the beginning'],
  ['last', ['G', 'end'], 'Go to the end; in the events, follow new ones'],
  ['filter', ['/'], 'Filter a list by words, or search a text; Esc shows everything again'],
  ['sort', ['S'], 'Sort artifacts or commands by a column; the same column again reverses the order'],
  ['reverse', ['I'], 'Reverse the order of the sorted column'],
];
/** Only a text has these. In a list, the keys keep their meaning from every other screen. */
const MATCHES: typeof MOVES = [
  ['next match', ['n'], 'In a text: go to the next match'],
  ['previous match', ['N'], 'In a text: go to the previous match'],
  ['next file', ['}'], 'In the changes: go to the next file'],
  ['previous file', ['{'], 'In the changes: go to the previous file'],
  ['files', ['f'], 'In the changes: choose a file and go to it'],
  ['right', ['>', 'L'], 'In the changes: scroll long lines right'],
  ['left', ['<', 'H'], 'In the changes: scroll long lines left'],
];

function movesHere(model: Model): readonly Binding[] {
  return runState.get(model).opened ? openedReader.bindings : sectionHere(model).bindings;
}

const moves = [...MOVES, ...MATCHES].map(([id, keys, help], nth): Binding => {
  const here = (model: Model) => movesHere(model).find((each) => each.keys.includes(keys[0] ?? ''));
  return {
    when: (model) => nth < MOVES.length || here(model) !== undefined,
    ...{ id: `run.${id}`, keys, label: id, help, footer: id === 'filter' },
    disabled(model) {
      const meant = here(model);
      return meant ? meant.disabled?.(model) : 'this section does not support it';
    },
    run: (model) => here(model)?.run(model) ?? step(model),
  };
});

const toSection = (id: string, keys: readonly string[], by: 1 | -1, help: string): Binding => ({
  ...{ id: `run.${id}`, keys, label: id, help, footer: by === 1 },
  run(model) {
    const at = SECTIONS.indexOf(sectionHere(model));
    const next = SECTIONS[(at + by + SECTIONS.length) % SECTIONS.length];
    return step(runState.set(model, { section: next?.id ?? 'overview', opened: undefined }));
  },
});

function sessionMeant(model: Model) {
  const run = runHere(model);
  const selected = selectedSession(model);
  return run?.sessions.find(({ sessionId }) => sessionId === selected) ?? sessionInNeed(run);
}

/** The open or selected item first, then the run. */
function thingsOf(model: Model): Things {
  const here = runHere(model);
  const { opened } = runState.get(model);
  const selected = here && (sectionHere(model).things?.(model, here) ?? NO_THINGS);
  const shown = opened ? openedThings(model, opened) : selected;
  return together(shown ?? NO_THINGS, detailThings(here) ?? NO_THINGS);
}

const actions: readonly Binding[] = [
  {
    ...{ id: 'run.open', keys: ['enter', 'l', 'right'], label: 'open', footer: true },
    help: 'Open the selected gate, session, event, artifact or command',
    disabled(model) {
      const run = runHere(model);
      if (!run) return 'the run is not loaded yet';
      if (runState.get(model).opened) return 'the item is open already';
      const opened = sectionHere(model).open?.(model, run) ?? 'this section has nothing to open';
      return typeof opened === 'string' ? opened : undefined;
    },
    run(model) {
      const run = runHere(model);
      const opened = run && sectionHere(model).open?.(model, run);
      if (typeof opened !== 'object') return step(model);
      return step(openedReader.reset(opened.model), ...opened.commands);
    },
  },
  {
    ...{ id: 'run.decide', keys: ['d'], label: 'decide', help: 'Open the gate that waits for you', footer: true },
    disabled: (model) => (pendingGate(runHere(model)) ? undefined : 'no gate waits for you'),
    run(model) {
      const gate = pendingGate(runHere(model));
      return step(gate ? goTo(model, { screen: 'approval', id: gate.id }) : model);
    },
  },
  {
    ...{ id: 'run.session', keys: ['s'], label: 'session' },
    help: 'Open the selected session, or the one that needs you most',
    disabled: (model) => (sessionMeant(model) ? undefined : 'the run has no session yet'),
    run(model) {
      const session = sessionMeant(model);
      return step(session ? goTo(model, { screen: 'session', id: session.sessionId }) : model);
    },
  },
  ...attachBindings('run', sessionMeant),
  ...runActions('run', runHere),
  ...thingBindings('run', thingsOf),
  {
    ...{ id: 'run.as written', keys: ['w'], label: 'as written', footer: true },
    help: 'Show the artifact as written, or formatted',
    disabled: (model) => (runState.get(model).opened?.kind === 'artifact' ? undefined : 'no artifact is open'),
    run: (model) => step(runState.set(model, { asWritten: !runState.get(model).asWritten })),
  },
];

export const run: Screen = {
  id: 'run',
  tab: 'runs',
  title: (model) => `Run ${shortId(runId(model))}`,
  queries: (model) => [
    runQuery(model),
    ...(sectionHere(model).queries?.(model) ?? []),
    ...openedQueries(runState.get(model).opened),
  ],
  streams: (model) => sectionHere(model).streams?.(model) ?? [],
  bindings: [
    ...actions,
    toSection('next section', ['tab', ']'], 1, 'Show the next section'),
    toSection('previous section', ['S-tab', '['], -1, 'Show the previous section'),
    ...moves,
  ],
  changesAt(model) {
    const here = runHere(model);
    return here && runChangesAt(here, model.now);
  },
  view(model, { columns }) {
    const here = runHere(model);
    if (!here) {
      const error = errorOf(model.data, runQuery(model));
      return [line(span(` ${error?.message ?? 'Loading…'}`, error ? theme.bad : theme.muted))];
    }
    const section = sectionHere(model);
    const titles = SECTIONS.map(({ id, title, count }) => ({ id, title, count: count?.(here) }));
    const size = sectionSize(model);
    const at = runState.get(model).opened ? '' : (section.where?.(model) ?? '');
    const tabs = line(' ', ...sectionsLine(titles, section.id));
    // The section names matter more than the position.
    const hasRoom = widthOf(textOf(tabs).trimEnd()) + at.length + 2 <= columns;
    const where = line(hasRoom && at !== '' && span(`${at} `, theme.muted));
    return [
      ...runHeader(here, model.now, columns),
      withStyle(spread(tabs, where, columns), theme.bar),
      ...(runState.get(model).opened ? openedView(model, size) : section.view(model, here, size)),
    ];
  },
  typing: (model) =>
    (runState.get(model).opened ? openedReader.typing(model) : sectionHere(model).typing?.(model)) ?? false,
  onKey(model, key) {
    if (!runState.get(model).opened) return sectionHere(model).onKey?.(model, key);
    const looked = openedReader.onKey(model, key);
    if (looked || openedReader.typing(model)) return looked;
    const closes = ['escape', 'h', 'left', 'backspace'].includes(key);
    return closes ? step(runState.set(model, { opened: undefined })) : undefined;
  },
  onMouse(model, at, size) {
    const here = runHere(model);
    if (!here) return undefined;
    const head = runHeader(here, model.now, size.columns).length + 1;
    if (runState.get(model).opened) return openedReader.onMouse(model, at.action);
    if (at.row < head) return undefined;
    const below = { ...at, row: at.row - head };
    const moved = sectionHere(model).onMouse?.(model, below, sectionSize(model));
    if (moved || at.action !== 'click') return moved;
    const opened = sectionHere(model).open?.(model, here);
    return typeof opened === 'object' ? step(openedReader.reset(opened.model), ...opened.commands) : undefined;
  },
};
