import { z } from 'zod';
import { ValidationError } from '../../events/artifact.ts';
import { Time } from './refs.ts';

/** A file that an agent wrote, and whether it is valid. */
export const ArtifactView = z.object({
  artifactId: z.string(),
  runId: z.string(),
  phaseKey: z.string().nullable(),
  roleId: z.string(),
  attempt: z.number().int(),
  path: z.string(),
  /** The read-only copy; null for an invalid artifact. */
  storedPath: z.string().nullable(),
  schema: z.string(),
  hash: z.string(),
  valid: z.boolean(),
  errors: z.array(ValidationError),
  /** A person wrote these bytes at a gate. Absent: the agent did. */
  edited: z.literal(true).optional(),
  createdAt: Time,
});
export type ArtifactView = z.infer<typeof ArtifactView>;

/** An artifact with its text. `content` is null if devflow lost the validated bytes. */
export const ArtifactContent = ArtifactView.extend({
  content: z.string().nullable(),
  truncated: z.boolean(),
  /** Why there is no text: the file is gone or changed after validation, and devflow has no unchanged copy. */
  fault: z.string().optional(),
});
export type ArtifactContent = z.infer<typeof ArtifactContent>;

/** The result of validating a definition or an artifact. */
export const Verdict = z.object({ ok: z.boolean(), errors: z.array(ValidationError) });
export type Verdict = z.infer<typeof Verdict>;
