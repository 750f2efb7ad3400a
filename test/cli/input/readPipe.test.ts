import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPipe } from '../../../cli/input/readPipe.ts';

function pipe(): string {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-pipe-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  execFileSync('mkfifo', [join(directory, 'p')]);
  return join(directory, 'p');
}

const writer = (path: string, script: string) => spawn('sh', ['-c', script, 'sh', path], { stdio: 'ignore' });

test('reads late and split input to its end, and reports that it waits', async () => {
  const path = pipe();
  const said: string[] = [];
  const waits = { silentMs: 1, writerMs: 20_000 };
  const reading = readPipe(path, 1000, () => said.push('waits'), waits);
  await expect.poll(() => said).toEqual(['waits']);
  writer(path, '{ echo one; sleep 0.05; echo two; } > "$1"');
  expect(String(await reading)).toBe('one\ntwo\n');
  expect(said).toEqual(['waits']);
});

test('gives up on a pipe without a writer, and stops an endless one at the limit', async () => {
  expect(await readPipe(pipe(), 1000, () => {}, { silentMs: 1, writerMs: 1 })).toBeUndefined();
  expect((await readPipe('/dev/zero', 1000, () => {}))?.length).toBeGreaterThan(1000);
});

test('reads a device at its end as empty, and does not wait for a writer', async () => {
  const said: string[] = [];
  const bytes = await readPipe('/dev/null', 1000, () => said.push('waits'), { silentMs: 0, writerMs: 0 });
  expect([bytes?.length, said]).toEqual([0, []]);
});
