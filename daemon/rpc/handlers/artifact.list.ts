import type { Handler } from '../ports.ts';

export const artifactList: Handler<'artifact.list'> = async ({ runId }, { reads }) =>
  reads.listArtifacts(await reads.resolveRun(runId));
