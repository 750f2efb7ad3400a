import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  bootSeconds,
  isKeeper,
  isKeeperOf,
  KEEPER_SCRIPT,
  type KeeperRecord,
  keeperNews,
  newRecord,
  otherSocketOf,
  readRecord,
  replacingRecord,
  runningKeeper,
  writeRecord,
} from '../../../schemas/keeper/record.ts';

function givenFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-keeper-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'keeper.json');
}

/** A process that looks like the keeper of that file. */
async function givenKeeper(file: string): Promise<{ pid: number; end(): Promise<unknown> }> {
  const script = join(file, '..', KEEPER_SCRIPT);
  writeFileSync(script, 'echo ready; read -r never\n');
  const child = spawn('/bin/sh', [script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const end = () => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(async () => void (await end()));
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, end };
}

const WAITING = { state: 'waiting', reason: 'database', since: '2026-11-27T01:02:03.000Z' } as const;

test('is written as a whole for its owner alone, and read again', () => {
  const file = givenFile();
  const record = newRecord(4711, 'up');
  writeRecord(file, record);
  expect(readRecord(file)).toEqual(record);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, '..'))).toEqual(['keeper.json']);
});

test('a keeper that cannot write it goes on', () => {
  const file = join(givenFile(), 'missing', 'keeper.json');
  expect(() => writeRecord(file, newRecord(4711, 'up'))).not.toThrow();
  expect(readRecord(file)).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['no object', 'null'],
  ['a pid that is a group', JSON.stringify({ ...newRecord(4711, 'up'), pid: -1 })],
  ['the first process', JSON.stringify({ ...newRecord(4711, 'up'), pid: 1 })],
  ['a state of its own', JSON.stringify({ ...newRecord(4711, 'up'), state: 'fine' })],
  ['a reason with a sequence', JSON.stringify({ ...newRecord(4711, 'up'), ...WAITING, reason: '\u001b[2J' })],
  ['a time that is none', JSON.stringify({ ...newRecord(4711, 'up'), ...WAITING, since: 'soon' })],
  ['a wait without a time', JSON.stringify({ ...newRecord(4711, 'up'), state: 'waiting' })],
  ['a socket that is none', JSON.stringify({ ...newRecord(4711, 'up'), socketPath: {} })],
  ['more than it can be', JSON.stringify({ ...newRecord(4711, 'up'), more: 'x'.repeat(10_000) })],
])('a file of an agent with %s is no record', (_, text) => {
  const file = givenFile();
  writeFileSync(file, text);
  expect([readRecord(file), runningKeeper(file), keeperNews(file)]).toEqual([undefined, undefined, undefined]);
});

test('reads the record of an earlier version that waits for Temporal', () => {
  const file = givenFile();
  writeFileSync(file, JSON.stringify({ ...newRecord(4711, 'up'), ...WAITING, reason: 'temporal' }));
  expect(readRecord(file)).toMatchObject({ pid: 4711, state: 'waiting', reason: 'crash' });
});

test('a link and a directory are no record, and are replaced by one', () => {
  const file = givenFile();
  writeFileSync(`${file}.target`, JSON.stringify(newRecord(4711, 'up')));
  symlinkSync(`${file}.target`, file);
  expect(readRecord(file)).toBeUndefined();
  writeRecord(file, newRecord(4712, 'up'));
  expect(readRecord(file)?.pid).toBe(4712);
  rmSync(file);
  mkdirSync(file, { mode: 0o700 });
  expect(readRecord(file)).toBeUndefined();
});

test('a keeper that replaces one that waits goes on with its wait, and has started its daemon now', () => {
  const before = bootSeconds();
  const waited: KeeperRecord = { ...newRecord(4711, 'service'), ...WAITING, failures: 7, crashes: 2, startedAt: 1 };
  const record = replacingRecord(waited, 4712);
  expect(record).toMatchObject({ pid: 4712, by: 'up', ...WAITING, failures: 7, crashes: 2 });
  expect(record.startedAt).toBeGreaterThanOrEqual(before);
});

test('a keeper counts while it runs; another process with its pid does not', async () => {
  const file = givenFile();
  const keeper = await givenKeeper(file);
  const record: KeeperRecord = { ...newRecord(keeper.pid, 'up'), ...WAITING };
  writeRecord(file, record);
  expect(runningKeeper(file)).toEqual(record);
  expect(keeperNews(file)).toEqual(record);
  expect(isKeeper(keeper.pid, `${file}.other`)).toBe(false);
  writeRecord(file, { ...record, state: 'keeping' });
  expect(keeperNews(file)).toBeUndefined();

  writeRecord(file, { ...record, pid: process.pid });
  expect([runningKeeper(file), keeperNews(file)]).toEqual([undefined, undefined]);
  writeRecord(file, record);
  await keeper.end();
  expect([runningKeeper(file), keeperNews(file)]).toEqual([undefined, undefined]);
  // Nobody else says why no daemon runs.
  writeRecord(file, { ...record, state: 'gave up' });
  expect(keeperNews(file)).toMatchObject({ state: 'gave up' });
});

test('a keeper of the same home counts under each spelling of its path, with blanks and links', async () => {
  const file = givenFile();
  const link = `${join(file, '..')} link`;
  symlinkSync(join(file, '..'), link);
  onTestFinished(() => rmSync(link));
  const keeper = await givenKeeper(file);
  expect(isKeeper(keeper.pid, join(link, 'keeper.json'))).toBe(true);
  const line = (record: string) => `/bin/sh /opt/a b/dist/keeper.sh ${record} /bin/node /opt/a b/dist/keeper.cjs`;
  expect(isKeeperOf(line(join(link, 'keeper.json')), file)).toBe(true);
  expect(isKeeperOf(line('/home/a b/keeper.json'), '/home/a b/keeper.json')).toBe(true);
  expect(isKeeperOf(line('/home/a b/keeper.json'), '/home/a/keeper.json')).toBe(false);
  expect(isKeeperOf(`vi ${file}`, file)).toBe(false);
});

test('says where its daemon listens, if that is elsewhere', () => {
  const file = givenFile();
  const link = `${join(file, '..')}-link`;
  symlinkSync(join(file, '..'), link);
  onTestFinished(() => rmSync(link));
  const record = newRecord(4711, 'up', join(link, 'devflow.sock'));
  expect(otherSocketOf(record, join(file, '..', 'devflow.sock'))).toBeUndefined();
  expect(otherSocketOf(record, '/run/user/1000/devflow.sock')).toBe(record.socketPath);
  expect(otherSocketOf(newRecord(4711, 'up'), '/run/user/1000/devflow.sock')).toBeUndefined();
});
