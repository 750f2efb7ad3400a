import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { ArtifactView } from '../views/artifact.ts';
import { RunRef } from '../views/refs.ts';

export const artifactList = defineMethod({
  name: 'artifact.list',
  summary: 'List the artifacts of a run',
  params: z.strictObject({ runId: RunRef }),
  result: z.array(ArtifactView),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});
