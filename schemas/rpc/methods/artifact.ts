import { z } from 'zod';
import { ValidationError } from '../../events/artifact.ts';
import { defineRead } from '../contract.ts';
import { ArtifactContent, ArtifactView, Verdict } from '../views/artifact.ts';
import { ArtifactRef, RunRef } from '../views/refs.ts';

export const artifactList = defineRead({
  name: 'artifact.list',
  summary: 'List the artifacts of a run',
  params: z.strictObject({ runId: RunRef }),
  result: z.array(ArtifactView),
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});

export const artifactGet = defineRead({
  name: 'artifact.get',
  summary: 'Show an artifact with its text',
  params: z.strictObject({ artifactId: ArtifactRef }),
  result: ArtifactContent,
  answeredBy: { hostOf: 'artifactId', elsewhere: 'ask' },
  paramNames: ['artifactId'],
  errors: ['not_found', 'ambiguous_id'],
});

export const artifactValidate = defineRead({
  name: 'artifact.validate',
  summary: 'Check the text of an artifact against a schema',
  params: z.strictObject({ schema: z.string().min(1), text: z.string() }),
  result: Verdict.extend({ schema: z.string(), warnings: z.array(ValidationError).optional() }),
  withoutDaemon: true,
  paramNames: ['schema', 'text'],
  errors: ['artifact_schema_unknown'],
});
