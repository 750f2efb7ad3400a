import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { NAMESPACE, startTemporalServer } from './temporalServer.ts';

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
  project.provide('temporal', {
    address: server.address,
    namespace: NAMESPACE,
    program,
    packages: join(tools, 'packages'),
  });
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
