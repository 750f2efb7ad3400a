import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../daemon/log.ts';
import { DevflowError } from '../../schemas/errors.ts';

it('joins a sentence and its cause with one mark', () => {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-log-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'daemon.log');
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
