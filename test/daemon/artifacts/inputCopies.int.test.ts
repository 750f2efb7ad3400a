import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { changedCopies, writeInputs } from '../../../daemon/artifacts/inputCopies.ts';
import { keepArtifact } from '../../../daemon/artifacts/storedArtifact.ts';
import { sha256hex } from '../../../schemas/hash.ts';

const BYTES = Buffer.from('{"title":"the approved plan"}');

async function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-inputs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const worktree = join(root, 'main');
  const own = join(worktree, '.devflow', 'artifacts', 'plan', '1', 'plan.json');
  const storedPath = join(root, 'artifacts', 'plan', '1', 'plan.json');
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, BYTES);
  await keepArtifact(storedPath, worktree, BYTES);
  const path = join(worktree, '.devflow', 'artifacts', 'inputs', 'plan', 'plan.json');
  const inputs = [{ path, artifact: { path: own, storedPath, hash: sha256hex(BYTES) } }];
  return { root, worktree, own, storedPath, path, inputs };
}

it('writes the validated bytes read-only, even if the agent changed its own file', async () => {
  const { worktree, own, path, inputs } = await given();
  writeFileSync(own, '{"title":"another plan"}');
  expect(await writeInputs(worktree, inputs)).toEqual([]);
  expect(readFileSync(path).equals(BYTES)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o444);
});

it('reports a changed copy and restores it', async () => {
  const { worktree, path, inputs } = await given();
  await writeInputs(worktree, inputs);
  chmodSync(path, 0o644);
  writeFileSync(path, '{"title":"another plan"}');
  expect(changedCopies(worktree, inputs)).toEqual([path]);
  expect(await writeInputs(worktree, inputs)).toEqual([path]);
  expect(readFileSync(path).equals(BYTES)).toBe(true);
  expect(changedCopies(worktree, inputs)).toEqual([]);
});

it('replaces the copy of an earlier version, which nobody changed', async () => {
  const { worktree, path, inputs } = await given();
  await writeInputs(worktree, inputs);
  const newer = Buffer.from('{"title":"the plan after changes"}');
  const [first] = inputs;
  const storedPath = join(dirname(dirname(first?.artifact.storedPath ?? '')), '2', 'plan.json');
  await keepArtifact(storedPath, worktree, newer);
  const own = join(worktree, '.devflow', 'artifacts', 'plan', '2', 'plan.json');
  const next = [{ path, artifact: { path: own, storedPath, hash: sha256hex(newer) }, earlier: [sha256hex(BYTES)] }];
  expect(changedCopies(worktree, next)).toEqual([]);
  expect(await writeInputs(worktree, next)).toEqual([]);
  expect(readFileSync(path).equals(newer)).toBe(true);
});

it('replaces a link in place of the copy, and does not change its target', async () => {
  const { root, worktree, path, inputs } = await given();
  writeFileSync(join(root, 'secret'), 'mine');
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, 'secret'), path);
  expect(await writeInputs(worktree, inputs)).toEqual([path]);
  expect(readFileSync(join(root, 'secret'), 'utf8')).toBe('mine');
  expect(readFileSync(path).equals(BYTES)).toBe(true);
});

it('refuses a link in place of a directory, and writes nothing through it', async () => {
  const { root, worktree, path, inputs } = await given();
  mkdirSync(join(root, 'elsewhere'));
  mkdirSync(dirname(dirname(path)), { recursive: true });
  symlinkSync(join(root, 'elsewhere'), dirname(path));
  await expect(writeInputs(worktree, inputs)).rejects.toMatchObject({ code: 'path_unsafe' });
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});

it('refuses lost bytes before it writes anything', async () => {
  const { root, worktree, own, path, inputs } = await given();
  writeFileSync(own, '{}');
  rmSync(join(root, 'artifacts'), { recursive: true });
  await expect(writeInputs(worktree, inputs)).rejects.toMatchObject({ code: 'artifact_changed' });
  expect(changedCopies(worktree, inputs)).toEqual([]);
  expect(() => statSync(path)).toThrow();
});
