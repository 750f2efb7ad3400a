import { beforeEach, describe, expect, test } from 'vitest';
import { FREQUENT_TASKS, type FrequentTask, TEXT } from '../../tui/frequentTasks.ts';
import { type Command, initialModel, type Model, type Step } from '../../tui/model/model.ts';
import { type Query, STATUS } from '../../tui/model/query.ts';
import { screenOf } from '../../tui/screens/index.ts';
import { update } from '../../tui/update/update.ts';
import { answerTo } from './captures/showcase.ts';
import { GATE, NOW, RUN, RUNS, SESSION } from './captures/showcaseRuns.ts';
import { seen } from './given.ts';

const TYPED = 'Draw borders as dashed lines';
const RECOVERY = 'dddd0000-0000-4000-8000-000000000009';
const ENDED = RUNS.at(-1)?.runId ?? '';

/** What a task did in the world, with the decisions, calls and terminals that it took. */
type Done = readonly (string | object)[];
/** How each task is known to be done. `from`: the row that it begins on. */
const DONE: Readonly<Record<string, { text?: string; from?: string; done?: Done; place?: object; sees?: string }>> = {
  'start a run': { done: [{ start: TYPED }] },
  'see who needs me': { place: { screen: 'approvals' }, sees: '▌? plan_approved' },
  'go to the agent': { done: [{ attach: SESSION }] },
  'approve at a gate': { done: [{ approve: GATE }], place: { screen: 'approval', id: RECOVERY } },
  'approve everything that waits': { done: [{ approve: GATE }, { approve: RECOVERY }], sees: '2 approved, 0 refused' },
  'request changes': { done: [{ request_changes: GATE, comment: TYPED }] },
  'look at the diff': { place: { screen: 'run', id: RUN }, sees: '[Changes' },
  apply: { from: ENDED, done: [{ apply: ENDED }] },
  abort: { done: [{ abort: RUN, reason: TYPED }] },
  'find a run by its topic': { text: 'borders', sees: '▌● executing     a41c0000 Draw borders' },
};

let done: (string | object)[] = [];
beforeEach(() => {
  done = [];
});

describe('the most frequent tasks', () => {
  test.each(FREQUENT_TASKS)('$task takes these keys, from the row of the run', ({ task, keys }) => {
    const { text = TYPED, from, done: wanted = [], place, sees = '' } = DONE[task] ?? {};
    const model = play(opened(from), keys, text);
    expect(done).toEqual(wanted);
    if (place) expect(model.place).toEqual(place);
    expect(seen(model)).toContain(sees);
  });

  test('no task takes more than three keys, or more than before', () => {
    for (const { task, keys, before } of FREQUENT_TASKS) {
      expect(pressed(keys), task).toBeLessThanOrEqual(3);
      expect(pressed(keys), task).toBeLessThanOrEqual(pressed(before));
    }
    expect(FREQUENT_TASKS.map(({ task }) => task)).toEqual(Object.keys(DONE));
  });

  test('in the list of gates, approving all takes three keys, too', () => {
    play(play(opened(), ['2']), ['*', 'a', 'y']);
    expect(done).toEqual([{ approve: GATE }, { approve: RECOVERY }]);
  });
});

const pressed = (keys: FrequentTask['keys']): number => keys.filter((key) => key !== TEXT).length;

/** The list of runs, on a row that was looked at. */
function opened(from?: string): Model {
  const size = { columns: 120, rows: 36 };
  const first = initialModel({
    size,
    now: NOW,
    version: '0.1.0',
    cwd: '/home/ada/greeting',
    place: { screen: 'runs' },
  });
  const model = settled(ofStep(update({ ...first, link: { state: 'up' } }, { type: 'tick' }, NOW)));
  const at = RUNS.findIndex(({ runId }) => runId === from);
  return at < 0 ? model : play(model, ['G']);
}

/** A person presses a key every two seconds. */
function play(before: Model, keys: readonly string[], text = ''): Model {
  const events = keys.flatMap((key) => (key === TEXT ? [...text] : [key]));
  return events.reduce((model, key) => settled(ofStep(update(model, { type: 'key', key }, model.now + 2_000))), before);
}

/** Answers commands as a daemon would, and notes what they do. */
function ofStep({ model, commands }: Step): Model {
  return commands.reduce((now, command) => performed(now, command), model);
}

function performed(model: Model, command: Command): Model {
  switch (command.type) {
    case 'start':
      done.push({ start: command.params.requirements });
      return model;
    case 'attach':
      done.push({ attach: command.sessionId });
      return model;
    case 'decide': {
      const { approvalId, action, comment } = command.params;
      done.push({ [action]: approvalId, ...(comment === undefined ? {} : { comment }) });
      const answer = { decisionId: 'd', created: true, approvalId, runId: RUN, state: 'approved', action } as const;
      return ofStep(command.then(model, answer));
    }
    case 'call': {
      const params = command.params as Record<string, unknown>;
      const answer = called(command.method, params);
      return answer === undefined ? model : ofStep(command.then(model, answer as never));
    }
    default:
      return model;
  }
}

function called(method: string, params: Record<string, unknown>): unknown {
  const { runId } = params;
  if (method === 'run.abort') {
    done.push({ abort: runId, reason: params.reason });
    return { runId, state: 'aborted', changed: true };
  }
  if (method === 'run.apply') {
    if (params.dryRun !== true) done.push({ apply: runId });
    return { ...PLAN, runId };
  }
  return answered({ key: '', method: method as Query['method'], params });
}

/** Every gate has a page, and the repository has its consents already. */
function answered(query: Query): unknown {
  const value = answerTo(query) as object | undefined;
  if (query.method === 'approval.get') return { ...value, id: (query.params as { approvalId: string }).approvalId };
  return query.method === 'repository.show' ? { ...value, consents: [] } : value;
}

const PLAN = {
  does: 'fast_forward',
  way: 'auto',
  applied: false,
  sentence: 'main moves to the work.',
  repoPath: '/home/ada/ledger',
  target: 'main',
  onto: 'b'.repeat(40),
  head: 'c'.repeat(40),
  commit: 'c'.repeat(40),
  commitCount: 1,
  totals: { files: 1, insertions: 1, deletions: 0 },
  lines: [],
  notes: [],
  moved: null,
  blocked: null,
};

/** Reads until nothing that is shown is unread. */
function settled(model: Model): Model {
  const entries = [STATUS, ...screenOf(model).queries(model)]
    .filter(({ key }) => !model.data.has(key))
    .flatMap((query) => {
      const value = answered(query);
      return value === undefined ? [] : [[query.key, { value }] as const];
    });
  if (entries.length > 0) return settled(update(model, { type: 'data', answers: entries }, model.now).model);
  const unread = (screenOf(model).streams?.(model) ?? []).flatMap((stream) =>
    stream.type === 'review' && !model.reviews.has(stream.gate.approvalId) ? [stream.gate.approvalId] : [],
  );
  const review = { drafts: [], read: [], sending: undefined, inFlight: [], strange: 0 };
  return unread.reduce((now, approvalId) => update(now, { type: 'review', approvalId, review }, now.now).model, model);
}
