import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  beginSending,
  endSending,
  readReview,
  removeDraft,
  writeDraft,
} from '../../../cli/client/drafts/draftFiles.ts';
import type { NewComment } from '../../../schemas/comments/comment.ts';
import type { Draft, DraftAct, Review, Sending } from '../../../schemas/comments/draft.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { followReview } from '../../../tui/data/reviewStream.ts';
import { changeDrafts, type DraftContext, sendReview } from '../../../tui/effects/drafts.ts';
import type { TuiEvent } from '../../../tui/model/event.ts';
import { type SendReviewCommand, step } from '../../../tui/model/model.ts';
import { toast } from '../../../tui/model/toast.ts';
import { smallDisk } from '../../helpers/smallDisk.ts';
import { type FakeClient, fakeClient, givenModel } from '../given.ts';

const AT = '2026-01-03T10:00:00.000Z';
const LATER = '2026-01-03T11:00:00.000Z';
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

const OTHER = 'something else is to be sent';
const sendingOf = (listed: SendReviewCommand['listed']): SendReviewCommand => ({
  ...{ type: 'sendReview', gate: GATE, listed, doing: 'deciding' },
  then: (model) => step(model),
  other: (model) => step(toast(model, 'warn', OTHER)),
});

/** A client of the files, and everything that it sends to its model. */
function givenClient(stateDir: string, answer: (method: string) => unknown = () => taken) {
  const client = fakeClient(answer);
  const sent: TuiEvent[] = [];
  const context: DraftContext = { client, stateDir, send: (event) => sent.push(event) };
  return {
    client,
    sent,
    act: (...acts: DraftAct[]) => changeDrafts({ gate: GATE, acts }, context),
    send: (listed: readonly Draft[] | Sending) => sendReview(sendingOf(listed), context),
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
  keep(state, 'Two', LATER);
  await person.send(person.shown()?.sending as Sending);
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
  await sendReview(sendingOf([draft]), context);
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
  person.act({ do: 'remove', draft: { ...first, comment: comment('First') } });
  expect(texts(person.shown())).toEqual(['Two', 'Three']);
});

test('a draft that is changed while a try may have sent it stays, whatever becomes of the try', async () => {
  for (const way of ['taken', 'refused'] as const) {
    const state = givenState();
    const draft = keep(state, 'Old');
    const answers = [lost(), way === 'taken' ? taken : new DevflowError('decision_conflict', 'no')];
    const person = givenClient(state, () => {
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next;
    });
    await person.send([draft]);
    person.act({ do: 'write', draft, comment: comment('New') });
    expect(texts(person.shown())).toEqual(['New']);
    await person.send(person.shown()?.sending as Sending);
    expect(person.client.asked.at(-1)?.params).toMatchObject({ comments: [{ text: 'Old' }] });
    expect(texts(person.shown())).toEqual(['New']);
  }
});

test('a draft that another client changes while it is sent stays', async () => {
  const state = givenState();
  const draft = keep(state, 'Old');
  const person = givenClient(state, () => {
    writeDraft(state, GATE, { ...draft, comment: comment('New') });
    return taken;
  });
  await person.send([draft]);
  expect(person.client.asked[0]?.params).toMatchObject({ comments: [{ text: 'Old' }] });
  expect(texts(person.shown())).toEqual(['New']);
});

test('nothing is sent if another client has begun to send something else', async () => {
  const state = givenState();
  const [one, two] = [keep(state, 'One'), keep(state, 'Two', LATER)];
  const begun = beginSending(state, GATE, { comments: [one.comment], drafts: [one.id] });
  const person = givenClient(state);
  await person.send([one, two]);
  expect(person.client.asked).toEqual([]);
  expect(person.said()).toEqual([OTHER]);
  expect(person.sent.map(({ type }) => type)).toEqual(['commandStarted', 'review', 'commandEnded']);
  expect(person.shown()).toMatchObject({ drafts: [one, two], sending: begun });
});

test('a try that another client has ended is not sent as another one', async () => {
  const state = givenState();
  const [one, two] = [keep(state, 'One'), keep(state, 'Two', LATER)];
  const begun = beginSending(state, GATE, { comments: [one.comment], drafts: [one.id] });
  endSending(state, GATE, begun, false);
  const person = givenClient(state);
  await person.send(begun);
  expect(person.client.asked).toEqual([]);
  expect(person.said()).toEqual([OTHER]);
  expect(person.shown()).toMatchObject({ drafts: [one, two], sending: undefined });
});

test('what another client wrote meanwhile stays beside what this one writes', () => {
  const state = givenState();
  const [one, two] = [keep(state, 'One'), keep(state, 'Two', LATER)];
  writeDraft(state, GATE, { ...one, comment: comment('Theirs') });
  removeDraft(state, GATE.runId, two);
  const person = givenClient(state);
  person.act(
    { do: 'write', draft: one, comment: comment('Mine') },
    { do: 'write', draft: two, comment: comment('Second') },
  );
  expect(texts(person.shown())?.sort()).toEqual(['Mine', 'Second', 'Theirs']);
  expect(person.said()?.[0]).toContain('Another dashboard changed, sent or deleted 2 comments meanwhile.');
});

test('a draft that another client changed is not deleted unseen', () => {
  const state = givenState();
  const draft = keep(state, 'One');
  writeDraft(state, GATE, { ...draft, comment: comment('Theirs') });
  const person = givenClient(state);
  person.act({ do: 'remove', draft });
  expect(texts(person.shown())).toEqual(['Theirs']);
  expect(person.said()?.[0]).toContain('Another dashboard changed');
});

test('a draft that another client took or sent is not brought back', () => {
  const state = givenState();
  const before = { ...GATE, approvalId: randomUUID() };
  const draft = writeDraft(state, before, { at: AT, comment: comment('Before') });
  removeDraft(state, GATE.runId, draft);
  const person = givenClient(state);
  person.act({ do: 'write', draft, comment: { ...draft.comment, line: 5 } });
  expect(texts(person.shown())).toEqual([]);
});

test('the same acts again leave no comment twice', () => {
  const state = givenState();
  const draft = keep(state, 'One');
  const person = givenClient(state);
  const acts: DraftAct[] = [
    { do: 'write', draft, comment: comment('First') },
    { do: 'write', comment: comment('New') },
  ];
  person.act(...acts);
  person.act(...acts);
  expect(texts(person.shown())).toEqual(['First', 'New']);
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

test('a comment that cannot be written is given back to whoever wrote it', () => {
  const state = givenState();
  const sent: TuiEvent[] = [];
  mkdirSync(join(state, 'reviews', GATE.runId), { recursive: true });
  writeFileSync(join(state, 'reviews', GATE.runId, GATE.approvalId), '');
  changeDrafts(
    {
      gate: GATE,
      acts: [{ do: 'write', comment: comment('Mine') }],
      then: (model) => step(toast(model, 'good', 'written')),
      failed: (model, { message }) => step(toast(model, 'bad', `again: ${message}`)),
    },
    { client: undefined, stateDir: state, send: (event) => sent.push(event) },
  );
  const [ended] = sent.flatMap((each) => (each.type === 'commandEnded' ? [each] : []));
  expect(ended?.then(givenModel()).model.toasts[0]?.text).toContain('again: Your drafts cannot be kept');
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
  await person.send(person.shown()?.drafts ?? []);
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
  const room = join(state, 'reviews', GATE.runId, GATE.approvalId, 'a'.repeat(12));
  expect(existsSync(room) ? readdirSync(room) : []).toHaveLength(left.length);
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
