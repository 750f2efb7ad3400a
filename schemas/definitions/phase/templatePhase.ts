import { z } from 'zod';
import { CommandKind, FindingSeverity, PhaseKind, RiskLevel, Step } from '../../enums.ts';
import { SCHEMA_ID, SLUG } from '../../names.ts';
import { DEFAULT_BAR, DEFAULT_BATCH, DEFAULT_LANES, DEFAULT_ROUNDS } from './phaseDefaults.ts';

export const Slug = z.string().regex(SLUG, 'use lower-case letters, digits, - and _ (at most 64, no leading sign)');

export const ArtifactSchemaId = z.string().regex(SCHEMA_ID, 'write a schema id as <domain>/<name>@<version>');

const RelativePath = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === ''), {
    message: 'give a relative path without ..',
  });

/** A command of a `command` phase. */
export const CommandSpec = z.strictObject({
  // Only devflow itself sets worktrees up.
  kind: CommandKind.exclude(['setup']).default('other'),
  argv: z.array(z.string()).min(1),
  timeoutMs: z.number().int().positive().optional(),
});

/** The options of a lanes phase. `LaneSettings` explains each, with its default. */
const LaneOptions = z.strictObject({
  from: Slug.optional(),
  max: z.number().int().min(1).max(16).default(DEFAULT_LANES),
  batch: z.number().int().min(1).max(16).default(DEFAULT_BATCH),
  checks: Slug.optional(),
});

/** The options of a review phase. `ReviewSettings` explains each, with its default. */
const ReviewOptions = z.strictObject({
  bar: FindingSeverity.default(DEFAULT_BAR),
  rounds: z.number().int().min(1).max(20).default(DEFAULT_ROUNDS),
  checks: Slug.optional(),
});

export const TemplatePhase = z.strictObject({
  key: Slug,
  title: z.string(),
  kind: PhaseKind.default('agent'),
  risk: RiskLevel,
  roles: z.array(z.string()).default([]),
  expectedArtifact: z.strictObject({ path: RelativePath, schema: ArtifactSchemaId }).optional(),
  gates: z.array(Slug).default([]),
  timeoutMs: z.number().int().positive().optional(),
  /** Text with `{{requirements}}`, `{{artifact:<phase>}}` and the like (see `definitions/placeholders.ts`), nothing more. */
  instructions: z.string().optional(),
  commands: z.array(CommandSpec).default([]),
  sessionBoundary: z.boolean().default(false),
  /** A person may skip the phase, with a reason. */
  optional: z.boolean().optional(),
  /** Facts with which the phase has nothing to do. */
  skipWhen: z.enum(['no-research-topics']).optional(),
  /** Only for the kind `lanes`. */
  lanes: LaneOptions.optional(),
  /** Only for the kind `review`. */
  review: ReviewOptions.optional(),
  /** Only for the kind `step`. */
  step: Step.optional(),
});
export type TemplatePhase = z.infer<typeof TemplatePhase>;
