import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { getValidated, keepArtifact, readValidated } from '../../../daemon/artifacts/storedArtifact.ts';
import { sha256hex } from '../../../schemas/hash.ts';

const BYTES = Buffer.from('{"title":"as validated"}');

async function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-stored-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const worktree = join(root, 'main');
  const path = join(worktree, '.devflow', 'artifacts', 'spec', '1', 'spec.json');
  const storedPath = join(root, 'artifacts', 'spec', '1', 'spec.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, BYTES);
  await keepArtifact(storedPath, worktree, BYTES);
  const change = (file: string) => {
    chmodSync(file, 0o644);
    writeFileSync(file, '{"title":"something else"}');
  };
  const spare = join(root, 'artifacts', '.bytes', sha256hex(BYTES));
  return { worktree, artifact: { path, storedPath, hash: sha256hex(BYTES) }, change, spare };
}

it('restores a changed copy to the validated bytes', async () => {
  const { worktree, artifact, change } = await given();
  change(artifact.storedPath);
  change(artifact.path);
  expect((await readValidated(artifact, worktree))?.equals(BYTES)).toBe(true);
  expect(readFileSync(artifact.storedPath).equals(BYTES)).toBe(true);
});

it('uses the agent’s own file if both copies changed', async () => {
  const { worktree, artifact, change, spare } = await given();
  change(artifact.storedPath);
  change(spare);
  expect((await readValidated(artifact, worktree))?.equals(BYTES)).toBe(true);
});

it('refuses lost bytes', async () => {
  const { worktree, artifact, change, spare } = await given();
  for (const file of [artifact.storedPath, artifact.path, spare]) change(file);
  expect(await readValidated(artifact, worktree)).toBe(undefined);
  await expect(getValidated(artifact, worktree)).rejects.toMatchObject({ code: 'artifact_changed' });
});

it('shows a refused artifact only while its file is unchanged', async () => {
  const { worktree, artifact, change, spare } = await given();
  const refused = { ...artifact, storedPath: null };
  rmSync(spare);
  expect((await readValidated(refused, worktree))?.equals(BYTES)).toBe(true);
  change(artifact.path);
  expect(await readValidated(refused, worktree)).toBe(undefined);
});
