import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { useMachine } from './givenMachine.ts';

const machine = useMachine();

describe('the engine on Temporal', () => {
  const TEMPORAL = { DEVFLOW_ENGINE: 'temporal', DEVFLOW_DATABASE_URL: 'postgres://devflow@127.0.0.1:1/devflow' };

  it('is not looked for with the local engine', async () => {
    expect((await machine().doctor()).temporal).toMatchObject({
      status: 'pass',
      detail: 'not needed: the engine is local',
    });
  });

  it('fails without its packages, with the line that installs them', async () => {
    const env = { ...machine().env, ...TEMPORAL };
    const { temporalPackages } = resolvePaths(env);
    expect((await machine().doctor({ env })).temporal).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/^The packages of engine: temporal cannot be loaded: .* is not there\.$/),
      remediation: expect.stringContaining(`Run npm install --prefix ${temporalPackages} @temporalio/activity@1.`),
    });
  });

  it('fails with half of its packages', async () => {
    const env = { ...machine().env, ...TEMPORAL };
    const worker = join(resolvePaths(env).temporalPackages, 'node_modules/@temporalio/worker');
    mkdirSync(worker, { recursive: true });
    writeFileSync(join(worker, 'package.json'), '{"version": "1.24.0"}');
    expect((await machine().doctor({ env })).temporal).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining("Cannot find module '@temporalio/client'"),
      remediation: expect.stringMatching(/^Run npm install --prefix /),
    });
  });
});
