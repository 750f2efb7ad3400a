import type { Review } from '../../../schemas/comments/draft.ts';
import { initialModel, type Model, type Place, type ScreenId, type Size, type Step } from '../../../tui/model/model.ts';
import { type Query, STATUS } from '../../../tui/model/query.ts';
import { screenOf } from '../../../tui/screens/index.ts';
import { sgrLine } from '../../../tui/text/sgr.ts';
import { update } from '../../../tui/update/update.ts';
import { answerTo } from './showcase.ts';
import { REVIEW_RUN } from './showcaseFindings.ts';
import { ANSWERED_GATE, WORK_GATE, WORK_REVIEW } from './showcaseGates.ts';
import { LANES_RUN } from './showcaseLanes.ts';
import { LOOP_RUN } from './showcaseLoop.ts';
import { EVENTS, GATE, NOW, RUN, SESSION } from './showcaseRuns.ts';

interface Capture {
  readonly place: Place;
  readonly keys?: readonly string[];
  readonly review?: Review;
}

/** A picture of every screen, as it opens. */
const SCREENS: Readonly<Record<ScreenId, Capture>> = {
  runs: { place: { screen: 'runs' } },
  run: { place: { screen: 'run', id: RUN } },
  approvals: { place: { screen: 'approvals' } },
  approval: { place: { screen: 'approval', id: GATE } },
  sessions: { place: { screen: 'sessions' } },
  session: { place: { screen: 'session', id: SESSION } },
  templates: { place: { screen: 'templates' } },
  personas: { place: { screen: 'personas' } },
  new: {
    place: { screen: 'new' },
    keys: ['j', 'j', 'enter', ...'quick', 'enter', 'j', 'enter', ...'Greet by name', 'enter'],
  },
  contracts: { place: { screen: 'contracts' } },
  lab: { place: { screen: 'lab' } },
  loop: { place: { screen: 'loop', id: LOOP_RUN } },
  doctor: { place: { screen: 'doctor' } },
  repository: { place: { screen: 'repository' } },
  help: { place: { screen: 'help' } },
};

/** What a person sees after some keys. */
const CAPTURES: Readonly<Record<string, Capture>> = {
  ...SCREENS,
  'run-lanes': { place: { screen: 'run', id: LANES_RUN }, keys: ['tab'] },
  'run-findings': { place: { screen: 'run', id: REVIEW_RUN }, keys: ['tab'] },
  'run-finding': { place: { screen: 'run', id: REVIEW_RUN }, keys: ['tab', 'j', 'enter'] },
  'run-events': { place: { screen: 'run', id: RUN }, keys: ['tab'] },
  'run-changes': { place: { screen: 'run', id: RUN }, keys: ['D'] },
  'run-report': { place: { screen: 'run', id: RUN }, keys: ['S-tab'] },
  'approval-diff': { place: { screen: 'approval', id: GATE }, keys: ['tab', 'tab'] },
  'approval-work': { place: { screen: 'approval', id: WORK_GATE } },
  'approval-comments': {
    place: { screen: 'approval', id: WORK_GATE },
    keys: ['tab', ')', ')', 'k', 'v', 'j'],
    review: WORK_REVIEW,
  },
  'approval-answers': { place: { screen: 'approval', id: ANSWERED_GATE }, keys: [')'] },
  'approval-work-changes': { place: { screen: 'approval', id: WORK_GATE }, keys: ['tab'] },
  'contracts-findings': { place: { screen: 'contracts' }, keys: ['enter'] },
  'contracts-audit': { place: { screen: 'contracts' }, keys: ['a'] },
  'loop-iteration': { place: { screen: 'loop', id: LOOP_RUN }, keys: ['j', 'j', 'enter'] },
  'loop-comparison': { place: { screen: 'loop', id: LOOP_RUN }, keys: ['G', 'c'] },
  'new-consent': {
    place: { screen: 'new' },
    keys: ['j', 'j', 'j', 'enter', ...'Greet by name', 'enter', 'C-s'],
  },
  'runs-marked': { place: { screen: 'runs' }, keys: [' ', ' '] },
  'runs-approve': { place: { screen: 'runs' }, keys: ['a'] },
  keys: { place: { screen: 'runs' }, keys: ['?'] },
  palette: { place: { screen: 'runs' }, keys: [':', ...'pau'] },
  abort: { place: { screen: 'runs' }, keys: ['X', ...'not needed', 'enter'] },
};

export const NAMES = Object.keys(CAPTURES);

/** The dashboard on that screen, after all that it reads has come; the same at any time and place. */
export function screenModel(name: string, size: Size): Model {
  const { place, keys = [], review } = CAPTURES[name] ?? { place: { screen: 'runs' as const } };
  const first = initialModel({ size, now: NOW, version: '0.1.0', cwd: '/home/ada/greeting', place });
  const reviews = new Map(review ? [[place.id ?? '', review]] : []);
  let model = settled({ ...first, link: { state: 'up' }, reviews });
  for (const key of keys) model = settled(answered(update(model, { type: 'key', key }, NOW)));
  return model;
}

/** The model after the answers to what a key asked the daemon. */
function answered({ model, commands }: Step): Model {
  const [first] = commands;
  if (first?.type !== 'call') return model;
  const value = answerTo({ key: '', method: first.method as Query['method'], params: first.params as object });
  return value === undefined ? model : answered(first.then(model, value as never));
}

/** Reads until nothing that is shown is unread. */
function settled(before: Model): Model {
  const model = {
    ...before,
    logs: new Map([[RUN, { events: EVENTS, count: EVENTS.length }]]),
    transcripts: TRANSCRIPTS,
  };
  const entries = [STATUS, ...screenOf(model).queries(model)]
    .filter(({ key }) => !model.data.has(key))
    .flatMap((query) => {
      const value = answerTo(query);
      return value === undefined ? [] : [[query.key, { value }] as const];
    });
  return entries.length === 0 ? model : settled(update(model, { type: 'data', answers: entries }, NOW).model);
}

const PRINTED = [
  '\u001b[33m✻\u001b[m Welcome to Claude Code',
  '',
  '\u001b[2m> DEVFLOW_PROMPT_BEGIN 5a1c… Plan the work. Write phase-plan.json.\u001b[m',
  '',
  '\u001b[32m●\u001b[m \u001b[1mRead\u001b[m(src/greet.ts)',
  '  ⎿  Read 12 lines',
  '\u001b[32m●\u001b[m \u001b[1mRead\u001b[m(test/greet.test.ts)',
  '  ⎿  Read 20 lines',
  '\u001b[32m●\u001b[m \u001b[1mWrite\u001b[m(.devflow/phase-plan.json)',
  '  ⎿  Wrote 31 lines',
  '\u001b[32m●\u001b[m The plan has two tasks: the greeting takes a name, and two tests hold it.',
  '',
  '\u001b[2m────────────────────────────────────────────────────────────\u001b[m',
  '❯',
  '\u001b[2m────────────────────────────────────────────────────────────\u001b[m',
  '  \u001b[36m? for shortcuts\u001b[m',
].map(sgrLine);
const TRANSCRIPTS = new Map([[SESSION, { lines: PRINTED, count: PRINTED.length, complete: true }]]);
