import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  beginSending,
  endSending,
  markRead,
  readReview,
  removeDraft,
  writeDraft,
} from '../../../../cli/client/drafts/draftFiles.ts';
import type { NewComment } from '../../../../schemas/comments/comment.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { smallDisk } from '../../../helpers/smallDisk.ts';

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

const texts = (state: string, gate = GATE) => readReview(state, gate).drafts.map((each) => each.comment.text);
const room = (state: string, gate = GATE) =>
  join(state, 'reviews', gate.runId, gate.approvalId, gate.shown.slice(0, 12));

test('keeps each comment as a file that only the person can read', () => {
  const state = givenState();
  const first = writeDraft(state, GATE, { at: AT, comment: comment('First') });
  writeDraft(state, GATE, { at: '2026-01-03T10:00:01.000Z', comment: comment('Second') });
  expect(texts(state)).toEqual(['First', 'Second']);
  expect(readReview(state, GATE).drafts[0]).toEqual(first);
  const files = readdirSync(room(state));
  expect(files).toHaveLength(2);
  for (const file of files) expect(statSync(join(room(state), file)).mode & 0o777).toBe(0o600);
  expect(statSync(room(state)).mode & 0o777).toBe(0o700);
  writeDraft(state, GATE, { ...first, comment: comment('Changed') });
  expect(texts(state)).toEqual(['Changed', 'Second']);
  removeDraft(state, GATE.runId, first);
  removeDraft(state, GATE.runId, first);
  expect(texts(state)).toEqual(['Second']);
});

test('has nothing where nobody wrote anything', () => {
  expect(readReview(givenState(), GATE)).toEqual({
    drafts: [],
    read: [],
    sending: undefined,
    inFlight: [],
    strange: 0,
  });
});

test('knows the gate and the hash of each draft, also of earlier ones of the run', () => {
  const state = givenState();
  const later = { ...GATE, approvalId: randomUUID(), shown: '' };
  writeDraft(state, GATE, { at: AT, comment: comment('Before') });
  writeDraft(state, later, { at: '2026-01-03T11:00:00.000Z', comment: comment('Now') });
  writeDraft(state, { ...GATE, runId: randomUUID() }, { at: AT, comment: comment('Of another run') });
  expect(readReview(state, later).drafts).toEqual([
    expect.objectContaining({ approvalId: GATE.approvalId, shown: 'a'.repeat(12) }),
    expect.objectContaining({ approvalId: later.approvalId, shown: 'unknown' }),
  ]);
});

test('counts files that are no drafts, and opens no link and no pipe', () => {
  const state = givenState();
  const { id } = writeDraft(state, GATE, { at: AT, comment: comment('Real') });
  const strange = (name = `${randomUUID()}.json`) => join(room(state), name);
  const real = readFileSync(join(room(state), `${id}.json`));
  writeFileSync(strange(), '{"at": ');
  writeFileSync(strange(), JSON.stringify({ at: AT, comment: { ...comment('x'), line: -1 } }));
  writeFileSync(strange(), JSON.stringify({ at: AT, comment: { ...comment('x'), text: 'x'.repeat(4001) } }));
  writeFileSync(strange(), Buffer.alloc(100_000, 32));
  writeFileSync(join(state, 'target'), real);
  symlinkSync(join(state, 'target'), strange());
  execFileSync('mkfifo', [strange()]);
  mkdirSync(strange());
  // Names that no draft has.
  writeFileSync(strange('note.json'), real);
  writeFileSync(strange('.half.tmp'), real);
  const { drafts, strange: count } = readReview(state, GATE);
  expect(drafts.map((each) => each.id)).toEqual([id]);
  expect(count).toBe(7);
});

test('follows no link to a directory', () => {
  const [state, other] = [givenState(), givenState()];
  mkdirSync(dirname(room(state)), { recursive: true });
  symlinkSync(other, room(state));
  expect(() => writeDraft(state, GATE, { at: AT, comment: comment('x') })).toThrow('is a link');
  expect(readdirSync(other)).toEqual([]);
  expect(texts(state)).toEqual([]);
});

test('refuses ids that would lead elsewhere', () => {
  const state = givenState();
  for (const bad of ['..', 'a/b', '']) {
    expect(() => writeDraft(state, { ...GATE, runId: bad }, { at: AT, comment: comment('x') })).toThrow(TypeError);
    expect(() => writeDraft(state, { ...GATE, approvalId: bad }, { at: AT, comment: comment('x') })).toThrow(TypeError);
    expect(() => markRead(state, GATE.runId, bad, true)).toThrow(TypeError);
  }
  expect(readdirSync(state)).toEqual([]);
});

test('marks files as read for all gates of the run', () => {
  const state = givenState();
  const mark = 'b'.repeat(64);
  markRead(state, GATE.runId, mark, true);
  markRead(state, GATE.runId, mark, true);
  expect(readReview(state, { ...GATE, approvalId: randomUUID() }).read).toEqual([mark]);
  markRead(state, GATE.runId, mark, false);
  expect(readReview(state, GATE).read).toEqual([]);
});

test('two clients that send at once send the same decision', () => {
  const state = givenState();
  const draft = writeDraft(state, GATE, { at: AT, comment: comment('One') });
  const first = beginSending(state, GATE, { comments: [draft.comment], drafts: [draft.id] });
  const second = writeDraft(state, GATE, { at: AT, comment: comment('Two') });
  const both = { comments: [draft.comment, second.comment], drafts: [draft.id, second.id] };
  expect(beginSending(state, GATE, both)).toEqual(first);
  expect(readReview(state, GATE).sending).toEqual(first);
  endSending(state, GATE, first, true);
  // The other client hears of the same decision afterwards.
  endSending(state, GATE, first, true);
  expect(texts(state)).toEqual(['Two']);
  expect(readReview(state, GATE).sending).toBeUndefined();
});

test('a refused decision keeps its drafts, and the next one has another token', () => {
  const state = givenState();
  const draft = writeDraft(state, GATE, { at: AT, comment: comment('One') });
  const asked = { comments: [draft.comment], drafts: [draft.id] };
  const first = beginSending(state, GATE, asked);
  endSending(state, GATE, first, false);
  expect(texts(state)).toEqual(['One']);
  expect(beginSending(state, GATE, asked).clientToken).not.toBe(first.clientToken);
});

test('replaces what is no decision', () => {
  const state = givenState();
  const draft = writeDraft(state, GATE, { at: AT, comment: comment('One') });
  const asked = { comments: [draft.comment], drafts: [draft.id] };
  const path = join(room(state), 'sending.json');
  writeFileSync(path, '{"clientToken": "x"');
  expect(beginSending(state, GATE, asked).drafts).toEqual([draft.id]);
  rmSync(path);
  symlinkSync('/dev/zero', path);
  expect(beginSending(state, GATE, asked).drafts).toEqual([draft.id]);
});

const runs = (state: string) => readdirSync(join(state, 'reviews')).filter((name) => name !== 'changed');

test('leaves nothing of a run whose comments are sent or deleted', () => {
  const state = givenState();
  const draft = writeDraft(state, GATE, { at: AT, comment: comment('One') });
  endSending(state, GATE, beginSending(state, GATE, { comments: [draft.comment], drafts: [draft.id] }), true);
  expect(runs(state)).toEqual([]);
  removeDraft(state, GATE.runId, writeDraft(state, GATE, { at: AT, comment: comment('Two') }));
  markRead(state, GATE.runId, 'b'.repeat(64), true);
  expect(runs(state)).toEqual([GATE.runId]);
  markRead(state, GATE.runId, 'b'.repeat(64), false);
  expect(runs(state)).toEqual([]);
});

test('sweeps what killed clients left long ago, and what they left hides no draft', () => {
  const state = givenState();
  const draft = writeDraft(state, GATE, { at: AT, comment: comment('One') });
  const leave = (age: number) => {
    const path = join(room(state), `.${randomUUID()}.tmp`);
    writeFileSync(path, '');
    utimesSync(path, age, age);
  };
  const hour = 60 * 60;
  const now = Date.now() / 1000;
  for (let left = 0; left < 600; left += 1) leave(now - 2 * hour);
  leave(now);
  expect(texts(state)).toEqual(['One']);
  writeDraft(state, GATE, { ...draft, comment: comment('Two') });
  expect(readdirSync(room(state))).toHaveLength(2);
});

test('a room that one client removes while another writes there loses no draft', async () => {
  const state = givenState();
  const module = join(packageRoot(), 'cli/client/drafts/draftFiles.ts');
  const program = `
    import { removeDraft, writeDraft } from ${JSON.stringify(module)};
    const [state, gate, comment] = process.argv.slice(1).map((each) => JSON.parse(each));
    for (let nth = 0; nth < 150; nth += 1) {
      const draft = writeDraft(state, gate, { at: new Date(nth).toISOString(), comment });
      removeDraft(state, gate.runId, draft);
    }`;
  const words = ['--experimental-strip-types', '--no-warnings', '--input-type=module-typescript', '-e', program];
  const given = [state, GATE, comment('y')].map((each) => JSON.stringify(each));
  const ends = [1, 2].map(async () => {
    const child = spawn(process.execPath, [...words, ...given], { stdio: ['ignore', 'ignore', 'inherit'] });
    return (await once(child, 'exit'))[0];
  });
  expect(await Promise.all(ends)).toEqual([0, 0]);
  expect(runs(state)).toEqual([]);
});

test('a killed client leaves whole drafts', async () => {
  const state = givenState();
  const module = join(packageRoot(), 'cli/client/drafts/draftFiles.ts');
  const program = `
    import { writeDraft } from ${JSON.stringify(module)};
    const [state, gate, comment] = process.argv.slice(1).map((each) => JSON.parse(each));
    for (let nth = 0; ; nth += 1) {
      writeDraft(state, gate, { at: new Date(nth).toISOString(), comment });
      process.stdout.write('.');
    }`;
  const words = ['--experimental-strip-types', '--no-warnings', '--input-type=module-typescript', '-e', program];
  const given = [state, GATE, comment('y'.repeat(4000))].map((each) => JSON.stringify(each));
  for (let times = 0; times < 3; times += 1) {
    const before = texts(state).length;
    const child = spawn(process.execPath, [...words, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const review = readReview(state, GATE);
    expect(review.strange).toBe(0);
    expect(review.drafts.length).toBeGreaterThan(before);
  }
});

test('says that the disk is full or read-only, and keeps what there is', (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a file system');
  const draft = writeDraft(disk.path, GATE, { at: AT, comment: comment('Kept') });
  disk.fill();
  const longer = { ...draft, comment: comment('z'.repeat(4000)) };
  expect(() => writeDraft(disk.path, GATE, longer)).toThrow('ENOSPC');
  expect(texts(disk.path)).toEqual(['Kept']);
  disk.free();
  disk.lock();
  expect(() => writeDraft(disk.path, GATE, longer)).toThrow('EROFS');
  expect(texts(disk.path)).toEqual(['Kept']);
  disk.unlock();
  chmodSync(disk.path, 0o700);
});
