import { expect, test } from 'vitest';
import { bodyOf, newsId } from '../../../../daemon/notify/webhook/body.ts';
import { type News, newsOf } from '../../../../daemon/notify/webhook/news.ts';
import type { StallCause } from '../../../../schemas/enums.ts';
import { bound, done, firstPhaseDone, given, sent, stalls, started } from '../../core/support/given.ts';
import { message } from '../../core/support/messages.ts';

const waiting = [bound, started, sent];
const now = new Date('2026-11-28T07:00:00.000Z');

test('a secret at the place where a title is cut is masked before', () => {
  const { run } = given({}, ...firstPhaseDone);
  const requirementsMd = `Use ${'/'.repeat(55)}ghp_${'a1B2'.repeat(10)}`;
  const [news] = newsOf({ ...run, title: null, agentTitle: null, requirementsMd });
  expect(news?.title).toContain('Use //');
  expect(news?.title).not.toContain('ghp_');
});

test('a secret in the first message is masked before it is cut to a title', () => {
  const secret = 'postgres://reporting_user:hunter2hunter2hunter2hunter2hunter2@db.internal:5432/x';
  const said = given({ requirementsMd: ' ' }, ...waiting, message('planner', 'm1', `Migrate the data at ${secret}`));
  const [news] = newsOf(said.on(stalls('planner', 'question')).run);
  expect(news?.title).toContain('Migrate the data at');
  expect(news?.title).not.toContain('hunter2');
});

test('a run that works has nothing to tell', () => {
  expect(newsOf(given({}, ...waiting).run)).toEqual([]);
});

test('a gate is a decision, once, until somebody decided', () => {
  const { run } = given({}, ...firstPhaseDone);
  const [gate] = run.approvals;
  expect(newsOf(run)).toEqual([
    {
      kind: 'decision',
      key: `gate:${gate?.id}`,
      since: gate?.createdAt,
      title: expect.stringMatching(/^devflow: repo [0-9a-f]{8}: Make it so\.$/),
      text: 'spec_approved (spec) waits for your decision.',
      how: `devflow approval show ${gate?.id.slice(0, 8)}`,
      run: { id: run.id, repo: 'repo', state: run.state },
    },
  ]);
  const decided = run.approvals.map((each) => ({ ...each, state: 'approved' as const }));
  expect(newsOf({ ...run, approvals: decided })).toEqual([]);
});

test('a gate that a rule may pass is news once the rule does not', () => {
  const asked = given({ autoGates: [{ gate: 'spec_approved', if: ['no_open_questions'] }] }, ...firstPhaseDone);
  expect(newsOf(asked.run)).toEqual([]);
  expect(newsOf(asked.on(done('checkRule')).run)).toEqual([]);
  expect(newsOf(asked.on(done('checkRule', 1)).run)).toMatchObject([{ kind: 'decision' }]);
});

test('a stall that needs a person is told without what the agent shows', () => {
  const [news, ...others] = newsOf(given({}, ...waiting, stalls('planner', 'permission')).run);
  expect(others).toEqual([]);
  expect(news).toMatchObject({ kind: 'agent', text: 'planner (fake) asks for permission.' });
  expect(news?.how).toMatch(/^devflow attach [0-9a-f]{8}$/);
  const quiet: (StallCause | null)[] = ['quota', 'hung', null];
  for (const cause of quiet) expect(newsOf(given({}, ...waiting, stalls('planner', cause)).run)).toEqual([]);
});

test('an agent about which a gate asks is told once, and an ended turn is of its own kind', () => {
  const login = newsOf(given({}, ...waiting, stalls('planner', 'login')).run);
  expect(login).toMatchObject([{ kind: 'decision', text: 'recovery (spec, planner) waits for your decision.' }]);
  const turn = newsOf(given({}, ...waiting, stalls('planner', 'idle')).run);
  expect(turn).toMatchObject([{ kind: 'turn', text: 'turn_ended (spec, planner) waits for your decision.' }]);
});

test('two stalls of one agent have two keys, and the same stall has one', () => {
  const first = given({}, ...waiting, stalls('planner', 'permission'));
  const again = first.on(stalls('planner', null), stalls('planner', 'permission'));
  const keys = [first, again].map(({ run }) => newsOf(run)[0]?.key);
  expect(keys[0]).not.toBe(keys[1]);
  expect(newsOf(first.run)[0]?.key).toBe(keys[0]);
});

test.each([
  ['completed', 'The run completed.'],
  ['failed', 'The run failed.'],
  ['aborted', 'The run was aborted.'],
] as const)('an end is told once: %s', (state, text) => {
  const { run } = given({}, ...waiting);
  const over = { ...run, state, endedAt: '2026-01-02T03:04:05.678Z' };
  expect(newsOf(over)).toMatchObject([{ kind: 'run_ended', key: `ended:${run.id}`, since: over.endedAt, text }]);
});

test('a message that may not have arrived is told for each doubt', () => {
  const { run } = given({}, ...waiting);
  const doubted = (doubts: number) => {
    const message = { id: 'm', sessionId: run.sessions[0]?.id ?? '', state: 'uncertain', doubts };
    return newsOf({ ...run, messages: [message, { ...message, id: 'n', state: 'queued' }] as never });
  };
  expect(doubted(1)).toMatchObject([
    { kind: 'message', key: 'message:m:1', since: null, text: 'A message to planner may not have arrived.' },
  ]);
  expect(doubted(2)).toMatchObject([{ key: 'message:m:2' }]);
});

const some: News = {
  kind: 'decision',
  key: 'gate:1',
  since: '2026-01-02T03:04:05.678Z',
  title: 'devflow: repo 3f9a: Title',
  text: 'spec_approved (spec) waits for your decision.',
  how: 'devflow approval show 86d8',
  run: { id: 'run', repo: 'repo', state: 'awaiting_approval' },
};

test('the body says what, where and how to go on', () => {
  expect(JSON.parse(bodyOf(some, now))).toEqual({
    id: newsId(some),
    kind: 'decision',
    at: some.since,
    text: 'devflow: repo 3f9a: Title\nspec_approved (spec) waits for your decision.\ndevflow approval show 86d8',
    title: some.title,
    runId: 'run',
    repo: 'repo',
    state: 'awaiting_approval',
    how: 'devflow approval show 86d8',
  });
  const { how: _how, run: _run, ...alone } = { ...some, kind: 'server' as const, since: null };
  expect(Object.keys(JSON.parse(bodyOf(alone, now)))).toEqual(['id', 'kind', 'at', 'text', 'title']);
  expect(JSON.parse(bodyOf(alone, now)).at).toBe(now.toISOString());
});

test('the id follows from the key alone', () => {
  expect(newsId(some)).toBe(newsId({ key: 'gate:1' }));
  expect(newsId({ key: 'gate:2' })).not.toBe(newsId(some));
});

test('a title calls nobody, hides nothing and gives no secret away', () => {
  const title = 'a <!channel> & <https://x|y> \u202e\u001b[31m\nghp_abcdefghijklmnopqrstuvwx';
  const body = JSON.parse(bodyOf({ ...some, title }, now));
  expect(body.text).toMatch(/^a &lt;!channel&gt; &amp; &lt;https:/);
  expect([...body.text].filter((each) => '<\u202e\u001b'.includes(each))).toEqual([]);
  expect(body.text.split('\n')).toHaveLength(3);
  expect(JSON.stringify(body)).not.toContain('ghp_abcdefghijklmnopqrstuvwx');
});
