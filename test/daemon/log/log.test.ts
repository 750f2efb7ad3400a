import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog, moduleLogs } from '../../../daemon/log/log.ts';
import { createLogFile } from '../../../daemon/log/logFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-log-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

it('keeps one full file beside the current one', () => {
  const dir = scratch();
  const log = createLogFile(join(dir, 'daemon.log'), 1000);
  for (let n = 0; n < 200; n += 1) log.write(`${String(n).padStart(99, '0')}\n`);
  expect(readdirSync(dir).sort()).toEqual(['daemon.log', 'daemon.log.1']);
  for (const file of readdirSync(dir)) expect(statSync(join(dir, file)).size).toBeLessThanOrEqual(1100);
  expect(readFileSync(join(dir, 'daemon.log'), 'utf8')).toMatch(/199\n$/);
});

it('appends to the log of an earlier daemon', () => {
  const file = join(scratch(), 'daemon.log');
  for (const line of ['one\n', 'two\n']) createLogFile(file, 1000).write(line);
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
});

it('drops a line that it cannot write', () => {
  const log = createLogFile('/dev/full');
  expect(() => log.write('no room\n')).not.toThrow();
});

it('names the module that logs', () => {
  const file = join(scratch(), 'daemon.log');
  const logOf = moduleLogs(createLog({ level: 'info', file }));
  logOf('engine').info({ runId: 'r' }, 'one');
  logOf('rpc').info('two');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).module)).toEqual(['engine', 'rpc']);
});

it('joins a message and its cause with one colon', () => {
  const file = join(scratch(), 'daemon.log');
  const cause = new Error('terminating connection');
  const err = new DevflowError('db_unreachable', 'The lead is lost: its connection failed.', { cause });
  createLog({ level: 'info', file }).error({ err }, 'the lead is lost');
  const line = JSON.parse(readFileSync(file, 'utf8'));
  expect(line).toMatchObject({
    msg: 'the lead is lost',
    err: {
      message: 'The lead is lost: its connection failed: terminating connection',
      code: 'db_unreachable',
      stack: expect.stringContaining('caused by: Error: terminating connection'),
    },
  });
});
