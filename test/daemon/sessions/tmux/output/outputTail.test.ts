import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgetBefore, newEpoch, outputEnd } from '../../../../../daemon/sessions/tmux/output/outputFiles.ts';
import { type OutputPart, tailOutput } from '../../../../../daemon/sessions/tmux/output/outputTail.ts';
import { recordResize } from '../../../../../daemon/sessions/tmux/output/resizes.ts';
import { until } from '../../../../helpers/until.ts';

function given() {
  const directory = mkdtempSync(join(tmpdir(), 'tail-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const print = (file: string, text: string | Buffer) => appendFileSync(join(directory, file), text);
  return { directory, print };
}

/** Reads on in the background; `end` stops it where it stands and gives all that came. */
function follow(directory: string, fromOffset = 0, steadyAfterMs?: number) {
  const stop = new AbortController();
  const parts: OutputPart[] = [];
  const done = (async () => {
    const options = { directory, fromOffset, steadyAfterMs, signal: stop.signal };
    for await (const part of tailOutput(options)) parts.push(part);
  })();
  onTestFinished(() => stop.abort());
  const text = () => parts.map(({ bytes, mark }) => (mark ? shown(mark) : bytes)).join('');
  const reads = (expected: string) => until(`it read ${expected}`, () => text() === expected);
  const end = () => {
    stop.abort();
    return done;
  };
  return { parts, text, reads, end };
}

function shown(mark: NonNullable<OutputPart['mark']>): string {
  return mark.kind === 'resize' ? `<${mark.columns}x${mark.rows} ${mark.nth}>` : `<gap ${mark.reason}>`;
}

/** All there is, by draining. */
async function whole(directory: string, fromOffset = 0): Promise<OutputPart[]> {
  const parts: OutputPart[] = [];
  for await (const part of tailOutput({ directory, fromOffset, drain: AbortSignal.abort() })) parts.push(part);
  return parts;
}

const texts = (parts: OutputPart[]) => parts.map(({ bytes, mark }) => (mark ? shown(mark) : String(bytes)));

test.each([
  ['by notifications', undefined],
  ['by the clock', 0],
])('follows output over files and epochs, %s', async (_, steadyAfterMs) => {
  const { directory, print } = given();
  const tail = follow(directory, 0, steadyAfterMs);
  print('00000001.000000', 'a');
  await tail.reads('a');
  print('00000001.000000', 'b');
  await tail.reads('ab');
  print('00000001.000000', 'c');
  print('00000001.000001', 'd');
  await tail.reads('abcd');
  print('00000002.000000', 'e');
  print('00000001.000001', '');
  await tail.reads('abcde');
  expect(tail.parts.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4]);
  await tail.end();
});

test('loses nothing when it turns to the clock and back, with sizes where they belong', async () => {
  const { directory, print } = given();
  // By the clock from 50 ms of output on, until half a second without any.
  const tail = follow(directory, 0, 50);
  for (const spell of [1, 2]) {
    // One after the other: if a size and output come in one turn, the output may be read before the notice of the size.
    const acts = Array.from({ length: 40 }, (_, nth) => [
      ...(nth % 10 === 5 ? [() => recordResize(directory, { columns: 100 * spell + nth, rows: 45 })] : []),
      () => print(`0000000${spell}.00000${Math.floor(nth / 20)}`, `${spell}/${nth} `),
    ]).flat();
    await until('it has printed for a while', () => {
      acts.shift()?.();
      return acts.length === 0;
    });
    const printedAt = Date.now();
    await until('it has paused', () => Date.now() - printedAt > 700);
  }
  const all = texts(await whole(directory)).join('');
  await tail.reads(all);
  await tail.end();
  expect(all.match(/<\d+x45 1>/g)).toHaveLength(8);
});

test('from any offset, the rest is the same', async () => {
  const { directory, print } = given();
  for (const [n, text] of ['abc', 'd', 'efgh', 'ij'].entries()) print(`0000000${1 + (n >> 1)}.00000${n % 2}`, text);
  for (let from = 0; from <= 10; from += 1) {
    const parts = await whole(directory, from);
    expect(parts.map(({ bytes }) => String(bytes)).join('')).toBe('abcdefghij'.slice(from));
    if (from < 10) expect(parts[0]?.offset).toBe(from);
  }
});

test('at most 64 KB are read, and only when they are asked for', async () => {
  const { directory, print } = given();
  const all = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * n * 7 + n) % 256));
  print('00000001.000000', all.subarray(0, 200_000));
  print('00000001.000001', all.subarray(200_000));
  const tail = tailOutput({ directory, fromOffset: 0, drain: AbortSignal.abort() });
  expect((await tail.next()).value.bytes.length).toBe(65_536);
  // What was not asked for was not read: it is still as it is on the disk.
  truncateSync(join(directory, '00000001.000000'), 70_000);
  expect((await tail.next()).value.bytes.length).toBe(4464);
  await tail.return(undefined);
  print('00000001.000000', all.subarray(70_000, 200_000));
  const parts = await whole(directory);
  expect(hash(Buffer.concat(parts.map(({ bytes }) => bytes)))).toBe(hash(all));
});

test('the numbers of split count on, in letters too, and other files are none of it', async () => {
  const { directory, print } = given();
  for (const name of ['1.aaaaaa', '1.aaaaab', '1.aaaaba', 'run', 'status.new', '1.00000', 'x']) print(name, `${name} `);
  expect(texts(await whole(directory))).toEqual(['1.aaaaaa ', '1.aaaaab ', '1.aaaaba ']);
});

test('keeps offsets when old files are deleted, also for a following reader', async () => {
  const { directory, print } = given();
  const tail = follow(directory);
  for (const [n, text] of ['abc', 'def', 'ghi'].entries()) print(`00000001.00000${n}`, text);
  await tail.reads('abcdefghi');
  forgetBefore(directory, 5);
  expect(readdirSync(directory).sort()).toEqual(['00000001.000001', '00000001.000002', 'offsets.json']);
  print('00000001.000002', 'j');
  await tail.reads('abcdefghij');
  await tail.end();
  expect(texts(await whole(directory, 4))).toEqual(['ef', 'ghij']);
  // What was forgotten is left out; the offset says so.
  expect((await whole(directory, 0))[0]).toMatchObject({ offset: 3, bytes: Buffer.from('def') });
  forgetBefore(directory, 10);
  expect(texts(await whole(directory, 10))).toEqual([]);
  expect(outputEnd(directory)).toBe(10);
  print('00000001.000003', 'kl');
  forgetBefore(directory, 11);
  expect(await whole(directory, 11)).toEqual([{ offset: 11, bytes: Buffer.from('l') }]);
});

test('reads nothing twice after a crash between index and deletion', async () => {
  const { directory, print } = given();
  print('00000001.000000', 'abc');
  print('00000001.000001', 'def');
  forgetBefore(directory, 3);
  print('00000001.000000', 'abc');
  expect(texts(await whole(directory, 3))).toEqual(['def']);
  print('00000001.000002', 'g');
  forgetBefore(directory, 6);
  expect(existsSync(join(directory, '00000001.000000'))).toBe(false);
});

test('reads new output after a loss', async () => {
  const { directory, print } = given();
  print('00000001.000000', 'abc');
  const tail = follow(directory, 100);
  print('00000001.000000', 'd');
  print('00000002.000000', 'ef');
  await tail.reads('def');
  await tail.end();
  expect(tail.parts[0]?.offset).toBe(100);
  expect(texts(await whole(directory, 101))).toEqual(['ef']);
});

test('continues at its offset in an emptied directory', async () => {
  const { directory, print } = given();
  rmSync(directory, { recursive: true });
  const tail = follow(directory, 7);
  await until('it looks', () => existsSync(join(directory, 'offsets.json')));
  print('00000009.000000', 'new');
  await tail.reads('new');
  await tail.end();
  expect(tail.parts).toEqual([{ offset: 7, bytes: Buffer.from('new') }]);
});

test('creates each epoch once, with the reason why earlier output is missing', async () => {
  const { directory, print } = given();
  const first = newEpoch(directory);
  const second = newEpoch(directory, 'the sink died');
  expect([first, second]).toEqual(['00000001', '00000002']);
  print(`${first}.000000`, 'before ');
  print(`${second}.000000`, 'after');
  expect(texts(await whole(directory))).toEqual(['before ', '<gap the sink died>', 'after']);
  // At the mark's own place it is told again, and the store leaves it out.
  expect(texts(await whole(directory, 7))).toEqual(['<gap the sink died>', 'after']);
  expect(texts(await whole(directory, 8))).toEqual(['fter']);
  forgetBefore(directory, 8);
  expect(readdirSync(directory).filter((name) => name.endsWith('.epoch'))).toEqual(['00000002.epoch']);
  expect(newEpoch(directory)).toBe('00000003');
});

test('reports each size at its offset', async () => {
  const { directory, print } = given();
  recordResize(directory, { columns: 160, rows: 45 });
  recordResize(directory, { columns: 160, rows: 45 });
  const tail = follow(directory);
  print('00000001.000000', 'abc');
  await tail.reads('<160x45 1>abc');
  recordResize(directory, { columns: 80, rows: 24 });
  recordResize(directory, { columns: 90, rows: 24 });
  await tail.reads('<160x45 1>abc<80x24 1><90x24 2>');
  print('00000001.000000', 'def');
  await tail.reads('<160x45 1>abc<80x24 1><90x24 2>def');
  await tail.end();
  writeFileSync(join(directory, 'resizes'), '4 70 20\n5 60', { flag: 'a' });
  expect(texts(await whole(directory, 3))).toEqual(['<80x24 1>', '<90x24 2>', 'd', '<70x20 1>', 'ef']);
});

test('ends a waiting reader at once', async () => {
  const { directory } = given();
  const tail = follow(directory);
  await tail.end();
  expect(tail.parts).toEqual([]);
});

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
