import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../daemon/clock.ts';
import type { Run } from '../../../../daemon/engine/core/state.ts';
import { createStarter, type StartRequest } from '../../../../daemon/engine/local/startRun.ts';
import { newId } from '../../../../schemas/newId.ts';
import { isolatedEnv, makeRepo } from '../../../helpers/testRepo.ts';
import { TEMPLATES } from '../core/support/templates.ts';

/** A starter on a log in memory and an engine whose runs are bound when the test says so. */
function given(maxConcurrentRuns: number) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-start-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = isolatedEnv(join(root, 'home'));
  const open: Run[] = [];
  const bind = new Map<string, () => void>();
  const starter = createStarter({
    config: { backends: {}, maxConcurrentRuns, workspaceRoot: join(root, 'ws'), recovery: {} } as never,
    clock: systemClock,
    runLog: {
      append: async () => {},
      readActive: async (repo: string) => {
        const run = open.find(({ repoPath }) => repoPath === repo);
        return run && { currentRunId: run.id, currentState: run.state };
      },
    } as never,
    definitions: {
      getTemplate: async () => ({ id: newId(), hash: 'a', template: TEMPLATES.withoutGate }),
      listPersonas: async () => [],
    } as never,
    engine: {
      openRuns: () => open,
      readRun: async (runId: string) => open.find(({ id }) => id === runId),
      adopt(run: Run) {
        open.push(run);
        return new Promise<void>((resolve) => {
          bind.set(run.id, resolve);
        });
      },
    } as never,
    onCreated: () => {},
  });
  const request = (more: Partial<StartRequest> = {}): StartRequest => ({
    repo: makeRepo(join(root, newId()), env).dir,
    template: 'any',
    requirements: 'Make it so.',
    overrides: {},
    clientToken: newId(),
    ...more,
  });
  return { starter, request, open, bind };
}

it('does not wait for the worktree of another run', async () => {
  const { starter, request, bind, open } = given(9);
  const [slow, quick] = [request(), request()];
  const waiting = starter.startRun(slow);
  await expect.poll(() => bind.has(slow.clientToken ?? '')).toBe(true);
  const started = starter.startRun(quick);
  await expect.poll(() => bind.has(quick.clientToken ?? '')).toBe(true);
  bind.get(quick.clientToken ?? '')?.();
  expect(await started).toEqual({ runId: quick.clientToken });
  bind.get(slow.clientToken ?? '')?.();
  expect(await waiting).toEqual({ runId: slow.clientToken });
  expect(open).toHaveLength(2);
});

it('lets as many runs be open as may be, however many are asked for at once', async () => {
  const { starter, request, bind, open } = given(2);
  const answers = Array.from({ length: 6 }, () =>
    starter.startRun(request()).then(
      () => 'started',
      (error) => error.code,
    ),
  );
  await expect.poll(() => bind.size).toBe(2);
  for (const resolve of bind.values()) resolve();
  const told = await Promise.all(answers);
  expect(told.sort()).toEqual([...Array(4).fill('max_concurrent_runs'), 'started', 'started']);
  expect(open).toHaveLength(2);
});

it('a preview is refused what a start would be: another run in its way, and more than may be open', async () => {
  const { starter, request, bind, open } = given(2);
  const asked = request();
  expect(await starter.preview(asked)).toMatchObject({ baseBranch: 'main' });
  const started = starter.startRun(asked);
  await expect.poll(() => bind.size).toBe(1);
  const currentRunId = open[0]?.id;
  await expect(starter.preview({ ...asked, clientToken: undefined })).rejects.toMatchObject({
    ...{ code: 'active_run_exists', exitCode: 5, data: { currentRunId, currentState: 'created' } },
    message: expect.stringContaining(`There is run ${currentRunId} (created) on branch main of `),
  });
  starter.startRun(request()).catch(() => {});
  await expect.poll(() => bind.size).toBe(2);
  await expect(starter.preview(request())).rejects.toMatchObject({ code: 'max_concurrent_runs', exitCode: 5 });
  for (const resolve of bind.values()) resolve();
  await started;
});

it('makes one run of a token that comes twice at once, and both wait for it', async () => {
  const { starter, request, bind, open } = given(9);
  const asked = request();
  let answered = 0;
  const both = [asked, asked].map((one) =>
    starter.startRun(one).then((answer) => {
      answered += 1;
      return answer;
    }),
  );
  const other = request();
  const third = starter.startRun(other);
  await expect.poll(() => bind.size).toBe(2);
  expect(answered).toBe(0);
  for (const resolve of bind.values()) resolve();
  await third;
  expect(await Promise.all(both)).toEqual([{ runId: asked.clientToken }, { runId: asked.clientToken }]);
  expect(open).toHaveLength(2);
});
