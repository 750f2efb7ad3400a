import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { NAMESPACE, startTemporalServer } from './temporalServer.ts';
import { listWorkflows } from './temporalWorkflows.ts';
import { until } from './until.ts';

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
      await proveNoWorkflowIsLeft(place);
    } finally {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  };
}

/** The server still lists a workflow for a moment after its end. */
const LISTED_MS = 5_000;

/**
 * Fails the whole run if a workflow is left: the server retries its work, which slows the tests that follow. Sets the exit
 * code, because Vitest ignores an error at this time.
 */
async function proveNoWorkflowIsLeft(place: TestTemporal): Promise<void> {
  let left: string[] = [];
  const isOver = async () => {
    left = await listWorkflows(place, 'Running');
    return left.length === 0;
  };
  await until('no workflow is left', isOver, LISTED_MS).catch((error: Error) => {
    console.error(`${error.message}; left: ${left.join(', ')}`);
    process.exitCode = 1;
  });
}
