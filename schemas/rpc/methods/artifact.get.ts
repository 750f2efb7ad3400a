import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { ArtifactContent } from '../views/artifact.ts';
import { ArtifactRef } from '../views/refs.ts';

export const artifactGet = defineMethod({
  name: 'artifact.get',
  summary: 'Show an artifact with its text',
  params: z.strictObject({ artifactId: ArtifactRef }),
  result: ArtifactContent,
  answeredBy: { hostOf: 'artifactId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['artifactId'],
  errors: ['not_found', 'ambiguous_id'],
});
