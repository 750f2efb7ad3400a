import { agentName } from '../../../schemas/mainLane.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import type { Binding } from '../../model/binding.ts';
import { PENDING } from '../../model/listQueries.ts';
import { type Command, call, type Model, type Size, type Step, step, type Transcript } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, withAnswer } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { toast } from '../../model/toast.ts';
import { fitWidth, type Line, line, lineWidth, span, spread } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { createHorizontalScroll } from '../../widgets/horizontalScroll.ts';
import { createScroll, type ScrollState } from '../../widgets/scroll.ts';
import { createSearch, SEARCH_START, type SearchState } from '../../widgets/search.ts';
import { gatesByRun } from '../decisions/waitingGates.ts';
import { messageBindings } from '../messages/messageBindings.ts';
import { waitingQueries } from '../messages/messageLines.ts';
import { attachBindings } from '../targets/attachBindings.ts';
import { mergeTargets, type Targets, targetBindings } from '../targets/targets.ts';
import { targetsOfSession } from '../targets/targetsOf.ts';
import { sessionHeadLines, sessionQuery, whyQuery } from './sessionHead.ts';

interface SessionState extends ScrollState {
  readonly left: number;
  readonly why: boolean;
}

const state = screenState<SessionState>('session', { top: 0, follow: true, left: 0, why: false });
const NOTHING: Transcript = { lines: [], count: 0, complete: false };

const sessionOf = (model: Model) => answerOf(model.data, sessionQuery(model));
const transcriptOf = (model: Model): Transcript => model.transcripts.get(model.place.id ?? '') ?? NOTHING;
const head = (model: Model): Line[] => sessionHeadLines(model, model.size.columns, state.get(model).why);

/** Rows left for the transcript, below the head and the rule. */
function rowsOf(model: Model): number {
  const { rows } = bodySize(model);
  const above = Math.min(head(model).length, rows - LEAST_ROWS) + 1;
  return Math.max(1, rows - above - (search.bar(model) ? 1 : 0));
}
const LEAST_ROWS = 6;

const scroll = createScroll({
  name: 'session',
  state,
  count: (model) => transcriptOf(model).count,
  rows: (model) => rowsOf(model),
});

const search = createSearch({
  name: 'session',
  state: screenState<SearchState>('session.search', SEARCH_START),
  lines: (model) => transcriptOf(model).lines,
  topOf: (model) => scroll.topOf(model, rowsOf(model), transcriptOf(model).count),
  show: (model, row) => scroll.to(model, row - Math.floor(rowsOf(model) / 2)),
});

const sideways = createHorizontalScroll({
  name: 'session',
  state,
  lines: (model) => transcriptOf(model).lines,
  columns: (model) => model.size.columns,
});

const probe: Binding = {
  id: 'session.probe',
  keys: ['p'],
  label: 'probe',
  footer: true,
  help: 'Check the pane now: whether the agent is alive and whether its output changes',
  disabled: (model) => (model.link.state === 'away' ? 'the daemon is not running' : undefined),
  run(model) {
    const sessionId = model.place.id ?? '';
    const then = (after: Model, seen: RpcResult<'session.probe'>): Step =>
      // The probe has recorded signals.
      step(toast(after, seen.alive ? 'good' : 'bad', probeSentence(after, seen)), readWhy(after, sessionId));
    return step(model, call('session.probe', { sessionId }, { doing: 'probing the session', then }));
  },
};

function probeSentence(
  { now }: Model,
  { state: is, alive, paneActive, lastOutputAt, hint }: RpcResult<'session.probe'>,
): string {
  const output = paneActive ? 'its output changes' : 'its output does not change';
  const last = lastOutputAt === null ? '' : `; last output ${age(lastOutputAt, now)} ago`;
  return `${alive ? `The agent is alive; ${output}${last}.` : `The agent is gone${last}.`} ${hint === is ? '' : (withLocalTimes(hint) ?? '')}`.trim();
}

function readWhy(model: Model, sessionId: string): Command {
  const asked = whyQuery(model);
  const then = (after: Model, value: RpcResult<'session.why'>): Step => step(withAnswer(after, asked, { value }));
  return call('session.why', { sessionId }, { doing: 'reading the signals', then });
}

function targetsOf(model: Model): Targets {
  const about = sessionOf(model);
  const writes = about?.expectedArtifactPath ?? undefined;
  const file: Targets = {
    copy: writes === undefined ? [] : [{ what: 'artifact path', text: writes }],
    open: writes === undefined || !about ? [] : [{ what: 'artifact', path: writes, as: 'file', root: about.cwd }],
  };
  return mergeTargets(targetsOfSession(about), file);
}

export const session: Screen = {
  id: 'session',
  tab: 'sessions',
  title(model) {
    const about = sessionOf(model);
    return `Session ${about ? agentName(about) : (model.place.id?.slice(0, 8) ?? '')}`;
  },
  queries: (model) => [
    sessionQuery(model),
    ...(state.get(model).why ? [whyQuery(model)] : []),
    PENDING,
    ...waitingQueries(sessionOf(model)),
  ],
  streams(model) {
    const about = sessionOf(model);
    return about ? [{ type: 'transcript', sessionId: about.sessionId, runId: about.runId }] : [];
  },
  changesAt(model) {
    const about = sessionOf(model);
    return about && earliest([about.lastPromptAt, about.stall?.since].map((since) => ageChangesAt(since, model.now)));
  },
  bindings: [
    ...attachBindings('session', sessionOf),
    ...messageBindings('session', { sessionOf, gatesOf: (model, { runId }) => gatesByRun(model).get(runId) ?? [] }),
    ...targetBindings('session', targetsOf),
    probe,
    {
      id: 'session.why',
      keys: ['w'],
      label: 'why',
      footer: true,
      help: 'Show or hide the signals that led to the state',
      run: (model) => step(state.set(model, { why: !state.get(model).why })),
    },
    {
      id: 'session.run',
      keys: ['u'],
      label: 'run',
      help: 'Open the run of the session',
      disabled: (model) => (sessionOf(model) ? undefined : 'the session is not loaded yet'),
      run(model) {
        const about = sessionOf(model);
        return step(about ? goTo(model, { screen: 'run', id: about.runId }) : model);
      },
    },
    ...search.bindings,
    ...sideways.bindings,
    ...scroll.bindings,
  ],
  view,
  typing: search.typing,
  onKey: search.onKey,
  onMouse(model, { action }) {
    return action === 'click' ? undefined : scroll.onMouse(model, action, transcriptOf(model).count);
  },
};

function view(model: Model, size: Size): Line[] {
  const { lines, count } = transcriptOf(model);
  const shownHead = head(model).slice(0, Math.max(0, size.rows - LEAST_ROWS));
  const above = shownHead.map((each) => fitWidth(each, size.columns));
  const bar = search.bar(model);
  const rows = Math.max(1, size.rows - above.length - 1 - (bar ? 1 : 0));
  const top = scroll.topOf(model, rows, count);
  const shown = lines.slice(top, top + rows).map((each, nth) => {
    const marked = search.mark(model, each, top + nth);
    return fitWidth(sideways.shift(model, marked), size.columns);
  });
  const all = count === 0 ? [line(span(`  ${emptiness(model)}`, theme.muted))] : shown;
  return [...above, between(model, size, top, rows), ...all, ...padding(rows - all.length), ...(bar ? [bar] : [])];
}

function padding(rows: number): Line[] {
  return Array.from({ length: Math.max(0, rows) }, () => []);
}

/** The rule above the transcript: the lines and columns shown, and how to move. */
function between(model: Model, { columns }: Size, top: number, rows: number): Line {
  const { count, complete } = transcriptOf(model);
  const width = sideways.width(model);
  const left = sideways.leftOf(model);
  const cut = width > columns ? `columns ${left + 1}-${Math.min(width, left + columns)} of ${width}, < > move  ` : '';
  const end = Math.min(count, top + rows);
  const where = count === 0 ? '' : `lines ${top + 1}-${end} of ${count}  `;
  const follows = state.get(model).follow || count <= rows ? 'live' : 'G: end';
  const right = line(span(`${cut}${where}${complete ? follows : 'loading…'} `, theme.muted));
  const name = '── transcript ';
  const rule = '─'.repeat(Math.max(0, columns - name.length - lineWidth(right) - 1));
  return spread(line(span(`${name}${rule} `, theme.muted)), right, columns);
}

function emptiness(model: Model): string {
  if (!sessionOf(model)) return '';
  return transcriptOf(model).complete ? 'No output yet.' : 'Loading…';
}
