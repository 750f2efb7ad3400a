import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { beginSending, readReview, writeDraft } from '../../../cli/client/drafts/draftFiles.ts';
import type { NewComment } from '../../../schemas/comments/comment.ts';
import type { Draft, DraftAct, Review } from '../../../schemas/comments/draft.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { followReview } from '../../../tui/data/reviewStream.ts';
import { changeDrafts, type DraftContext, sendReview } from '../../../tui/effects/drafts.ts';
import type { TuiEvent } from '../../../tui/model/event.ts';
import { step } from '../../../tui/model/model.ts';
import { smallDisk } from '../../helpers/smallDisk.ts';
import { type FakeClient, fakeClient, givenModel } from '../given.ts';

const AT = '2026-01-03T10:00:00.000Z';
const GATE = { runId: randomUUID(), approvalId: randomUUID(), shown: 'a'.repeat(64) };

const comment = (text: string): NewComment => ({
  ...({ path: 'a.ts', side: 'new', line: 3, endLine: null, artifact: null, pointer: null } as const),
  ...({ quote: 'x', kind: 'change', text } as const),
});

function givenState(): string {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-drafts-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const taken = { decisionId: 'd', created: true, action: 'request_changes', state: 'changes_requested' };
const lost = () => new DevflowError('daemon_not_running', 'the connection to the daemon is lost');

/** A client of the files, and everything that it sends to its model. */
function givenClient(stateDir: string, answer: (method: string) => unknown = () => taken) {
  const client = fakeClient(answer);
  const sent: TuiEvent[] = [];
  const context: DraftContext = { client, stateDir, send: (event) => sent.push(event) };
  return {
    client,
    sent,
    act: (act: DraftAct) => changeDrafts({ gate: GATE, act }, context),
    send: (drafts: readonly Draft[]) =>
      sendReview({ type: 'sendReview', gate: GATE, drafts, doing: 'deciding', then: (model) => step(model) }, context),
    shown: () => sent.findLast((each) => each.type === 'review')?.review,
    said: () => {
      const ended = sent.findLast((each) => each.type === 'commandEnded');
      return ended?.then(givenModel()).model.toasts.map(({ text }) => text);
    },
  };
}

const tokensOf = ({ asked }: FakeClient) =>
  asked.flatMap(({ method, params }) =>
    method === 'approval.decide' ? [(params as { clientToken: string }).clientToken] : [],
  );
const texts = (review: Review | undefined) => review?.drafts.map((each) => each.comment.text);
const keep = (state: string, text: string, at = AT) => writeDraft(state, GATE, { at, comment: comment(text) });

test('a decision takes its drafts with it, bound to what was shown', async () => {
  const state = givenState();
  const draft = keep(state, 'One');
  const person = givenClient(state);
  await person.send([draft]);
  expect(person.client.asked).toEqual([
    {
      method: 'approval.decide',
      params: {
        ...{ approvalId: GATE.approvalId, action: 'request_changes', shown: GATE.shown },
        ...{ clientToken: expect.any(String), comments: [draft.comment] },
      },
    },
  ]);
  expect(person.shown()).toEqual({ drafts: [], read: [], sending: undefined, inFlight: [], strange: 0 });
  expect(person.sent.map(({ type }) => type)).toEqual(['commandStarted', 'commandEnded', 'review']);
});

test('an answer that is lost keeps the token, so the next try is the same decision', async () => {
  const state = givenState();
  const draft = keep(state, 'One');
  const answers = [lost(), taken];
  const person = givenClient(state, () => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  });
  await person.send([draft]);
  expect(person.shown()?.sending?.drafts).toEqual([draft.id]);
  expect(person.said()?.[0]).toContain('connection to the daemon is lost');
  const newer = keep(state, 'Two', '2026-01-03T11:00:00.000Z');
  await person.send([draft, newer]);
  const [first, second] = tokensOf(person.client);
  expect(second).toBe(first);
  expect(person.client.asked[1]?.params).toMatchObject({ comments: [draft.comment] });
  expect(texts(person.shown())).toEqual(['Two']);
});

test.each(['decision_conflict', 'comments_misplaced', 'changes_under_decision'] as const)(
  'a decision refused with %s keeps its drafts, and the next one is another',
  async (code) => {
    const state = givenState();
    const draft = keep(state, 'One');
    const person = givenClient(state, () => {
      throw new DevflowError(code, 'no');
    });
    await person.send([draft]);
    expect(person.shown()).toMatchObject({ drafts: [draft], sending: undefined });
    await person.send([draft]);
    expect(new Set(tokensOf(person.client)).size).toBe(2);
  },
);

test('without a daemon nothing is begun', async () => {
  const state = givenState();
  const draft = keep(state, 'One');
  const sent: TuiEvent[] = [];
  const context = { client: undefined, stateDir: state, send: (event: TuiEvent) => void sent.push(event) };
  await sendReview(
    { type: 'sendReview', gate: GATE, drafts: [draft], doing: 'deciding', then: (model) => step(model) },
    context,
  );
  expect(readReview(state, GATE)).toMatchObject({ drafts: [draft], sending: undefined });
});

test('a changed draft keeps its place, and comments written at once keep their order', () => {
  const state = givenState();
  const person = givenClient(state);
  for (const text of ['One', 'Two', 'Three']) person.act({ do: 'write', comment: comment(text) });
  const [first] = person.shown()?.drafts ?? [];
  if (!first) throw new Error('no draft');
  person.act({ do: 'write', draft: first, comment: comment('First') });
  expect(texts(person.shown())).toEqual(['First', 'Two', 'Three']);
  person.act({ do: 'remove', draft: first });
  expect(texts(person.shown())).toEqual(['Two', 'Three']);
});

test('a draft of another gate moves to this one', () => {
  const state = givenState();
  const before = { ...GATE, approvalId: randomUUID() };
  const draft = writeDraft(state, before, { at: AT, comment: comment('Before') });
  const person = givenClient(state);
  person.act({ do: 'write', draft, comment: { ...draft.comment, line: 5 } });
  expect(person.shown()?.drafts).toMatchObject([{ approvalId: GATE.approvalId, at: AT, comment: { line: 5 } }]);
});

test('a try that is forgotten counts no more, and its drafts stay', () => {
  const state = givenState();
  const draft = keep(state, 'One');
  const sending = beginSending(state, GATE, { comments: [draft.comment], drafts: [draft.id] });
  const person = givenClient(state);
  person.act({ do: 'forget', sending });
  expect(person.shown()).toMatchObject({ drafts: [draft], sending: undefined, inFlight: [] });
});

test('a full disk is said, and the model keeps what the files have', (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a file system');
  keep(disk.path, 'Kept');
  disk.fill();
  const person = givenClient(disk.path);
  person.act({ do: 'write', comment: comment('z'.repeat(4000)) });
  expect(person.said()?.[0]).toContain('ENOSPC');
  expect(texts(person.shown())).toEqual(['Kept']);
});

/** What a dashboard that shows the gate hears of the files. */
function givenDashboard(state: string, client?: FakeClient) {
  const reviews: Review[] = [];
  const stream = followReview(GATE, state, (review) => reviews.push(review));
  onTestFinished(() => stream.close());
  stream.use(client);
  return { reviews, last: () => texts(reviews.at(-1)) };
}

test('a second client sees drafts come, change and go', async () => {
  const state = givenState();
  const dashboard = givenDashboard(state);
  await expect.poll(dashboard.last).toEqual([]);
  const person = givenClient(state);
  person.act({ do: 'write', comment: comment('One') });
  await expect.poll(dashboard.last).toEqual(['One']);
  const [draft] = person.shown()?.drafts ?? [];
  if (!draft) throw new Error('no draft');
  person.act({ do: 'write', draft, comment: comment('1') });
  await expect.poll(dashboard.last).toEqual(['1']);
  person.act({ do: 'mark', mark: 'b'.repeat(64), isRead: true });
  await expect.poll(() => dashboard.reviews.at(-1)?.read).toEqual(['b'.repeat(64)]);
  await person.send([draft]);
  await expect.poll(dashboard.last).toEqual([]);
});

test('a closed gate hears nothing more', async () => {
  const state = givenState();
  const reviews: Review[] = [];
  followReview(GATE, state, (review) => reviews.push(review)).close();
  const other = givenDashboard(state);
  keep(state, 'One');
  await expect.poll(other.last).toEqual(['One']);
  expect(reviews).toEqual([]);
});

/** A try whose answer was lost when the program was killed. */
function givenTry(state: string) {
  const draft = keep(state, 'One');
  return beginSending(state, GATE, { comments: [draft.comment], drafts: [draft.id] });
}

test.each([
  ['has the decision', () => ({ ...taken, created: false }), []],
  [
    'has another decision',
    () => {
      throw new DevflowError('decision_conflict', 'no');
    },
    ['One'],
  ],
])('after a kill, the next start asks about a gate that is decided: the daemon %s', async (_, decided, left) => {
  const state = givenState();
  const { clientToken } = givenTry(state);
  const gates = [{ id: GATE.approvalId, state: 'changes_requested' }];
  const client = fakeClient((method) => (method === 'approval.list' ? gates : decided()));
  const { reviews, last } = givenDashboard(state, client);
  await expect.poll(() => reviews.at(-1)?.inFlight).toEqual([]);
  expect(last()).toEqual(left);
  expect(tokensOf(client)).toEqual([clientToken]);
  expect(readdirSync(join(state, 'reviews', GATE.runId, GATE.approvalId, 'a'.repeat(12)))).toHaveLength(left.length);
});

test('after a kill, a gate that still waits is left to the person', async () => {
  const state = givenState();
  const sending = givenTry(state);
  const client = fakeClient(() => [{ id: GATE.approvalId, state: 'pending' }]);
  const { reviews } = givenDashboard(state, client);
  await expect.poll(() => reviews.at(-1)?.sending).toEqual(sending);
  await expect.poll(() => client.asked).toHaveLength(1);
  expect(tokensOf(client)).toEqual([]);
});
