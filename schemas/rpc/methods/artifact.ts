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
  errors: ['not_found', 'ambiguous_id'],
});

export const artifactGet = defineRead({
  name: 'artifact.get',
  summary: 'Show an artifact with its text',
  params: z.strictObject({ artifactId: ArtifactRef }),
  result: ArtifactContent,
  answeredBy: { hostOf: 'artifactId', elsewhere: 'ask' },
  errors: ['not_found', 'ambiguous_id'],
});

export const artifactValidate = defineRead({
  name: 'artifact.validate',
  summary: 'Check the text of an artifact against a schema',
  params: z.strictObject({ schema: z.string().min(1), text: z.string() }),
  result: Verdict.extend({ schema: z.string(), warnings: z.array(ValidationError).optional() }),
  withoutDaemon: true,
  errors: ['artifact_schema_unknown'],
});
