import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { NAMESPACE, startTemporalServer } from './temporalServer.ts';
import { listWorkflows } from './temporalWorkflows.ts';

/** A running Temporal server, the program, and the SDK's packages. */
export interface TestTemporal {
  address: string;
  namespace: string;
  program: string;
  packages: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null unless `npm run test:temporal` runs the tests. */
    temporal: TestTemporal | null;
  }
}

/** One real server for all tests of the tier. `test/temporal/run.ts` names the directory with the program and the packages. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tools = process.env.DEVFLOW_TEST_TEMPORAL;
  if (!tools) {
    project.provide('temporal', null);
    return async () => {};
  }
  const program = join(tools, 'temporal');
  const directory = mkdtempSync(join(tmpdir(), 'devflow-temporal-'));
  const server = await startTemporalServer(program, directory);
  const place = { address: server.address, namespace: NAMESPACE, program, packages: join(tools, 'packages') };
  project.provide('temporal', place);
  return async () => {
    try {
      await proveNothingGoesOn(place);
    } finally {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  };
}

/**
 * Fails the whole run if a workflow is left: the server would retry its work for ever, at the cost of the tests that follow.
 * Vitest takes an error at this time for none.
 */
async function proveNothingGoesOn(place: TestTemporal): Promise<void> {
  let left: string[] = [];
  // The server lists a workflow for a moment after its end.
  for (let look = 1; look <= 10; look += 1) {
    left = await listWorkflows(place, 'Running');
    if (left.length === 0) return;
    await pause(500);
  }
  console.error(`tests left workflows: ${left.join(', ')}`);
  process.exitCode = 1;
}
