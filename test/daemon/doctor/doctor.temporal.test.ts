import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { temporalPlace } from '../engine/temporal/support/temporalPlace.ts';
import { useMachine } from './givenMachine.ts';

const machine = useMachine();

/** A machine with the packages of the tests, whose daemon would use the server of the tests. */
function given(namespace: string) {
  const { address, packages } = temporalPlace();
  const here = machine();
  const env = {
    ...here.env,
    DEVFLOW_ENGINE: 'temporal',
    DEVFLOW_DATABASE_URL: 'postgres://devflow@127.0.0.1:1/devflow',
    DEVFLOW_TEMPORAL_ADDRESS: address,
    DEVFLOW_TEMPORAL_NAMESPACE: namespace,
  };
  const { temporalPackages } = resolvePaths(env);
  mkdirSync(dirname(temporalPackages), { recursive: true, mode: 0o700 });
  symlinkSync(packages, temporalPackages);
  return here.doctor({ env });
}

test('the server and the packages of the tests fit', async () => {
  expect((await given(temporalPlace().namespace)).temporal).toMatchObject({
    status: 'pass',
    detail: expect.stringMatching(/^Temporal 1\.32\.0 at \S+, namespace devflow, SDK 1\.24\.0$/),
  });
});

test('a namespace that is missing fails the check', async () => {
  expect((await given('elsewhere')).temporal).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('has no namespace elsewhere'),
  });
});
