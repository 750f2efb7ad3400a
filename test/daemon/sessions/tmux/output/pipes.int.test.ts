import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it("waits for no pipe in place of an agent's file", () => {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-pipes-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of ['state', 'hooks']) mkdirSync(join(directory, name));
  const pipes = ['record.jsonl', 'state/1.json', 'hooks/1.1.Stop.json'].map((name) => join(directory, name));
  execFileSync('mkfifo', pipes);
  // In a process of its own: one that waits for a writer can only be killed.
  const child = join(import.meta.dirname, 'readChild.ts');
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', child, directory], { timeout: 30_000 });
  expect(stdout.toString()).toBe('conversation record state hooks');
});
