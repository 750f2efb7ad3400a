import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginSending, readReview, writeDraft } from '../../cli/client/drafts/draftFiles.ts';
import { sendOnce } from '../../cli/client/drafts/sendOnce.ts';
import { NewComment } from '../../schemas/comments/comment.ts';
import type { ReviewedGate } from '../../schemas/comments/draft.ts';
import { shareDaemon } from '../helpers/daemon.ts';
import { drive, readLog, startRun } from '../helpers/drive.ts';
import { type Comments, commentsOf, requestingOnce, untilGateOf } from './commentRuns.ts';
import { startFlow } from './contractFlows.ts';
import { startTasks } from './laneRuns.ts';
import { FILE, startReviewed } from './reviewRuns.ts';
import { payloads, proveEnd, scenario } from './support.ts';

const daemon = shareDaemon();

const ON_FILE: Comments = [
  { path: FILE, line: 1, text: 'Name it otherwise.' },
  { path: FILE, line: 3, endLine: 5, kind: 'question', text: 'Why three lines?' },
  { path: FILE, text: 'The file is in the wrong place.' },
  { text: 'Is all of it needed?', kind: 'question' },
];

/** A run of one implementer, at the gate that shows its change. */
async function changed(requirements = 'Make it better.') {
  const repo = daemon().repo();
  const runId = await startRun(daemon(), {
    repo: repo.dir,
    template: 'quick-change@1',
    requirements,
    backend: BACKEND,
  });
  return { repo, runId, gate: await untilGateOf(daemon(), runId, 'changes_approved') };
}
const BACKEND = { implementer: 'fake' } as const;

test('development: a specification and its code are commented, and each comment is answered', async () => {
  const repo = daemon().repo();
  const runId = await startRun(daemon(), { repo: repo.dir });
  const spec = await untilGateOf(daemon(), runId, 'spec_approved');
  const { artifacts, shown } = await daemon().ask('approval.get', { approvalId: spec });
  const artifact = artifacts[0]?.hash ?? '';
  const comments: Comments = [
    { artifact, pointer: '/title', text: 'Shorter.' },
    { artifact, text: 'Who reads it?', kind: 'question' },
  ];
  const decided = { approvalId: spec, action: 'request_changes', clientToken: randomUUID(), comments, shown } as const;
  await daemon().ask('approval.decide', decided);
  const next = await untilGateOf(daemon(), runId, 'spec_approved', 2);
  const { comments: shownComments = [] } = await daemon().ask('approval.get', { approvalId: next });
  expect(shownComments).toMatchObject([
    { id: 'c1', state: 'answered', phaseKey: 'spec', answers: [{ assignment: 'planner', action: 'fixed' }], now: null },
    { id: 'c2', state: 'answered', answers: [{ action: 'answered' }] },
  ]);
  expect(shownComments[0]?.quote).not.toBe('');
  await drive(daemon(), runId, { patienceMs: 200_000, decide: requestingOnce('changes_approved', ON_FILE) });
  const { events, report } = await proveEnd(daemon(), runId, 'completed');
  expect(await commentsOf(daemon(), runId)).toMatchObject([
    { id: 'c1' },
    { id: 'c2' },
    { id: 'c3', state: 'answered', phaseKey: 'implement', now: { path: FILE, line: 1, as: 'same' } },
    { id: 'c4', state: 'answered', now: { line: 3, endLine: 5 } },
    { id: 'c5', state: 'answered', now: { line: null, as: 'same' } },
    { id: 'c6', state: 'answered', now: null },
  ]);
  expect(payloads(events, 'artifact.validated').flatMap(({ answers = [] }) => answers)).toHaveLength(6);
  expect(report).toMatchObject({ comments: [{ id: 'c1' }, {}, {}, {}, {}, { id: 'c6' }] });
});

test('quick-change@2: the fix answers, and a comment follows its lines into a renamed file', async () => {
  const { runId } = await startReviewed(daemon(), []);
  const decide = requestingOnce('changes_approved', ON_FILE.slice(0, 2), `Fixes: moves ${FILE} fake/other.md 2`);
  await drive(daemon(), runId, { patienceMs: 200_000, decide });
  await proveEnd(daemon(), runId, 'completed');
  const comments = await commentsOf(daemon(), runId);
  expect(comments).toMatchObject([
    { state: 'answered', phaseKey: 'review', now: { path: 'fake/other.md', line: 3, as: 'moved' } },
    { state: 'answered', now: { path: 'fake/other.md', line: 5, endLine: 7, as: 'moved' } },
  ]);
  expect(comments[0]?.answers).toHaveLength(1);
  expect(comments[0]?.patch).toContain(`rename from ${FILE}`);
});

test('parallel-development: one more task answers what is said of the result', async () => {
  const { runId } = await startTasks(daemon(), [{ id: 'A' }, { id: 'B' }]);
  const gate = await untilGateOf(daemon(), runId, 'changes_approved');
  const { diff } = await daemon().ask('approval.get', { approvalId: gate });
  const path = diff?.files[0]?.path ?? '';
  const comments: Comments = [{ path, line: 1, text: 'Rename it.' }];
  const decision = { approvalId: gate, action: 'request_changes', clientToken: randomUUID(), comments } as const;
  await daemon().ask('approval.decide', decision);
  await drive(daemon(), runId, { patienceMs: 200_000 });
  await proveEnd(daemon(), runId, 'completed');
  expect(await commentsOf(daemon(), runId)).toMatchObject([
    { path, state: 'answered', phaseKey: 'implement', answers: [{ assignment: 'changes-2', action: 'fixed' }] },
  ]);
});

test('dev-cycle: the developer of the next iteration answers', async () => {
  const runId = await startFlow(daemon(), 'dev-cycle', 'Add numbers.');
  const decide = requestingOnce('cycle_accepted', [{ text: 'Subtract, too.' }]);
  await drive(daemon(), runId, { patienceMs: 200_000, decide });
  await proveEnd(daemon(), runId, 'completed');
  expect(await commentsOf(daemon(), runId)).toMatchObject([
    { state: 'answered', phaseKey: 'cd', answers: [{ assignment: 'cd', action: 'fixed' }] },
  ]);
});

test('a missing answer makes the artifact invalid, and is repaired', async () => {
  const { runId, gate } = await changed(scenario('ok-then-no-answers-then-ok'));
  const comments = ON_FILE.slice(0, 2);
  const decision = { approvalId: gate, action: 'request_changes', clientToken: randomUUID(), comments } as const;
  await daemon().ask('approval.decide', decision);
  await drive(daemon(), runId);
  const { events } = await proveEnd(daemon(), runId, 'completed');
  const faults = payloads(events, 'artifact.invalid').flatMap(
    ({ errors }) => errors as { path: string; message: string }[],
  );
  expect(faults).toMatchObject([{ path: '/answers', message: expect.stringContaining('needs c2 exactly once') }]);
  expect(payloads(events, 'prompt.repaired')).toHaveLength(1);
  expect((await commentsOf(daemon(), runId)).map(({ state }) => state)).toEqual(['answered', 'answered']);
});

test('of two people with different comments one decides, and the other is told', async () => {
  const { runId, gate: approvalId } = await changed();
  const decideWith = (text: string, clientToken = randomUUID()) =>
    daemon().ask('approval.decide', { approvalId, action: 'request_changes', clientToken, comments: [{ text }] });
  const both = await Promise.allSettled([decideWith('Mine.'), decideWith('Yours.')]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [refused] = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused).toMatchObject({ code: 'decision_conflict' });
  await drive(daemon(), runId);
  expect(await commentsOf(daemon(), runId)).toHaveLength(1);
});

test('of two clients with comments for one gate the second is told, keeps its own, and sends them at the next gate', async () => {
  const { runId, gate: approvalId } = await changed();
  const { shown = '' } = await daemon().ask('approval.get', { approvalId });
  const gate = { runId, approvalId, shown };
  /** A client with a draft in its own directory, that is about to send it. */
  const client = (comment: NewComment) => {
    const stateDir = mkdtempSync(join(daemon().root, 'client-'));
    const { id } = writeDraft(stateDir, gate, { at: new Date().toISOString(), comment });
    return { stateDir, sending: beginSending(stateDir, gate, { comments: [comment], drafts: [id] }) };
  };
  type Client = ReturnType<typeof client>;
  const connection = await daemon().client();
  const send = ({ stateDir, sending }: Client, at: ReviewedGate): Promise<string> =>
    sendOnce({ client: connection, stateDir }, at, sending).then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );
  const comment = (more: object) => NewComment.parse({ text: 'Mine.', ...more });
  const first = client(comment({ path: FILE, line: 1 }));
  const second = client(comment({ path: FILE, line: 3, text: 'Yours.' }));
  expect(await send(first, gate)).toBe('taken');
  expect(await send(second, gate)).toBe('decision_conflict');
  expect(readReview(first.stateDir, gate)).toMatchObject({ drafts: [], sending: undefined });
  const kept = readReview(second.stateDir, gate);
  expect(kept).toMatchObject({ drafts: [{ approvalId, comment: { text: 'Yours.' } }], sending: undefined });

  const nextId = await untilGateOf(daemon(), runId, 'changes_approved', 2);
  const { shown: shownNext = '', comments } = await daemon().ask('approval.get', { approvalId: nextId });
  expect(comments).toMatchObject([{ text: 'Mine.', state: 'answered' }]);
  const next = { runId, approvalId: nextId, shown: shownNext };
  const { drafts } = readReview(second.stateDir, next);
  const again = {
    comments: drafts.map((draft) => draft.comment),
    drafts: drafts.map(({ id }) => id),
  };
  expect(await send({ ...second, sending: beginSending(second.stateDir, next, again) }, next)).toBe('taken');
  expect(readReview(second.stateDir, next).drafts).toEqual([]);
  await drive(daemon(), runId);
  const all = await commentsOf(daemon(), runId);
  expect(all.map(({ text, state }) => `${text} ${state}`)).toEqual(['Mine. answered', 'Yours. answered']);
});

test('comments that are not where the work is decide nothing', async () => {
  const { runId, gate: approvalId } = await changed();
  const before = (await readLog(daemon(), runId)).length;
  const decideWith = (comments: Comments, more: object = {}) =>
    daemon().ask('approval.decide', {
      ...{ approvalId, action: 'request_changes', clientToken: randomUUID(), comments, ...more },
    });
  const refusedAs = (code: string, message = '') => ({ code, message: expect.stringContaining(message) });
  const misplaced = (comment: Comments[number]) => decideWith([comment]);
  await expect(misplaced({ path: FILE, line: 999, text: 'x' })).rejects.toMatchObject(refusedAs('comments_misplaced'));
  for (const path of ['../../etc/passwd', '/etc/passwd', '.git/config', 'a\nb', './fake/implement-1.md', 'none.txt']) {
    await expect(misplaced({ path, line: 1, text: 'x' }), path).rejects.toMatchObject(refusedAs('comments_misplaced'));
  }
  const quoted = { path: FILE, line: 1, quote: 'This is not there.', text: 'x' };
  await expect(misplaced(quoted)).rejects.toMatchObject(refusedAs('comments_misplaced', 'Comment 1'));
  await expect(misplaced({ artifact: 'a'.repeat(64), text: 'x' })).rejects.toMatchObject(
    refusedAs('comments_misplaced'),
  );
  const shown = { shown: 'something else' };
  await expect(decideWith([{ text: 'x' }], shown)).rejects.toMatchObject(refusedAs('changes_under_decision'));
  await expect(decideWith([{ text: 'x' }], { action: 'approve' })).rejects.toMatchObject(refusedAs('usage'));
  await expect(decideWith([])).rejects.toMatchObject(refusedAs('usage', 'needs a comment'));
  expect(await readLog(daemon(), runId)).toHaveLength(before);
  await daemon().ask('run.abort', { runId });
});

test('the command line looks at comments first, sends them from a file or a pipe, and shows the answers', async () => {
  const { runId, gate } = await changed();
  const input = JSON.stringify([
    { path: FILE, line: 2 - 1, text: 'Name it otherwise.' },
    { path: FILE, line: 900, text: 'x' },
  ]);
  const looked = await daemon().cli(['approval', 'request-changes', gate, '--comments', '-', '--dry-run'], { input });
  expect(looked.code).toBe(5);
  expect(looked.stdout).toMatch(/1\s+fake\/implement-1.md:1\s+same[\s\S]*2\s+fake\/implement-1.md:900\s+outdated/);
  const wrong = await daemon().cli(['approval', 'request-changes', gate, '--comments', '-'], { input: '{}' });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('the comments are no JSON list')]);
  const bare = await daemon().cli(['approval', 'request-changes', gate, '--dry-run']);
  expect(bare.code).toBe(2);
  const right = JSON.stringify([{ path: FILE, line: 1, text: 'Name it otherwise.' }]);
  const sent = await daemon().cli(['approval', 'request-changes', gate, '--comments', '-'], { input: right });
  expect(sent.code).toBe(0);
  const next = await untilGateOf(daemon(), runId, 'changes_approved', 2);
  const { stdout } = await daemon().cli(['approval', 'show', next]);
  expect(stdout).toContain('Comments');
  expect(stdout).toContain(`c1 change ${FILE}:1: answered`);
  expect(stdout).toContain('→ implementer: fixed: Did what c1 says.');
  const { stdout: sarif } = await daemon().cli(['run', 'findings', runId, '--sarif']);
  expect(JSON.parse(sarif).runs[0].results).toMatchObject([
    { ruleId: 'comment', kind: 'review', level: 'none', message: { text: 'Name it otherwise.' } },
  ]);
  await drive(daemon(), runId);
  const { stdout: report } = await daemon().cli(['run', 'report', runId]);
  expect(report).toMatch(/## Comments[\s\S]*Name it otherwise\./);
});
