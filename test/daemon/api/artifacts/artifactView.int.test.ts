import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { artifactContent } from '../../../../daemon/api/artifacts/artifactView.ts';
import type { Artifact, Run } from '../../../../daemon/core/run/state.ts';
import { sha256hex } from '../../../../schemas/hash.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-view-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const worktreeRoot = join(root, 'main');
  mkdirSync(worktreeRoot);
  const path = join(worktreeRoot, 'a.json');
  const artifact: Artifact = {
    id: 'artifact',
    phaseId: 'phase',
    roleId: 'writer',
    assignment: 'writer',
    laneId: 'main',
    attempt: 1,
    path,
    schema: 'dev/spec@1',
    hash: sha256hex('{"title": 1}'),
    valid: false,
    errors: [],
    storedPath: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  return {
    root,
    path,
    run: { id: 'run', worktreeRoot, phases: [] as Run['phases'], lanes: [] as Run['lanes'] } as Run,
    artifact,
  };
}

it('shows what an agent wrote', async () => {
  const { run, artifact, path } = given();
  writeFileSync(path, '{"title": 1}');
  expect(await artifactContent(run, artifact)).toMatchObject({ content: '{"title": 1}', truncated: false });
});

it('shows nothing through a link out of the worktree', async () => {
  const { root, run, artifact, path } = given();
  writeFileSync(join(root, 'secret'), '{"token": "x"}');
  symlinkSync('../secret', path);
  expect(await artifactContent(run, artifact)).toMatchObject({ content: null });
});

it('does not wait for the writer of a pipe', async () => {
  const { run, artifact, path } = given();
  execFileSync('mkfifo', [path]);
  expect(await artifactContent(run, artifact)).toMatchObject({ content: null });
});
