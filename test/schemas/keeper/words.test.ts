import { expect, test } from 'vitest';
import { keptExitOf } from '../../../schemas/keeper/keptExit.ts';
import { type KeeperReason, type KeeperRecord, newRecord } from '../../../schemas/keeper/record.ts';
import { endedKeeper, keeperHint, keeperSentence, keeperStatus } from '../../../schemas/keeper/words.ts';
import { localTime } from '../../../schemas/time/localTime.ts';

const since = '2026-11-27T01:02:03.000Z';
const at = localTime(since);
const time = at.slice(11, 16);

const record = (state: KeeperRecord['state'], reason: KeeperReason): KeeperRecord => ({
  ...newRecord(4711, 'up'),
  state,
  reason,
  since,
  crashes: 2,
});

test.each([
  ['database', `devflow waits for the database since ${at}.`, `waits for the database since ${time}`],
  [
    'crash',
    `The daemon crashed (2 times since ${at}), and devflow restarts it.`,
    `waits to restart its daemon since ${time}`,
  ],
] as const)('says that it waits: %s', (reason, sentence, status) => {
  expect(keeperSentence(record('waiting', reason))).toBe(sentence);
  expect(keeperStatus(record('waiting', reason))).toBe(status);
  expect(keeperHint(record('waiting', reason), '/log')).toContain('devflow down');
});

test('speaks of no crash where none was counted', () => {
  const restarts = { ...record('waiting', 'crash'), crashes: 0 };
  expect(keeperSentence(restarts)).toBe(`devflow waits to restart its daemon since ${at}.`);
});

test('says why it gave up, and what to do', () => {
  const gaveUp = record('gave up', 'crash');
  expect(keeperSentence(gaveUp)).toBe(
    `devflow gave up, because its daemon crashes soon after each start (since ${at}).`,
  );
  expect(keeperHint(gaveUp, '/log')).toBe('Read the end of /log and fix the cause. Then run devflow up.');
  expect(keeperStatus(gaveUp)).toBe('devflow gave up: devflow status');
});

test('says what an end of the waiting ended', () => {
  expect(endedKeeper(record('waiting', 'database'))).toBe(`devflow is down. It waited for the database since ${at}.`);
  expect(endedKeeper(record('keeping', 'database'))).toBe('devflow is down. Its daemon has ended.');
});

test('only errors that may pass count as crashes', () => {
  const codes = ['daemon_running', 'fenced', 'db_unreachable', 'temporal_unreachable', 'config_invalid', 'db_damaged'];
  expect(codes.map(keptExitOf)).toEqual([3, 3, 75, undefined, 78, 78]);
  expect([keptExitOf('disk_full'), keptExitOf(undefined)]).toEqual([undefined, undefined]);
});
