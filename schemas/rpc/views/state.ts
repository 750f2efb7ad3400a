import { z } from 'zod';
import { BUCKETS } from '../../contracts/stateDirectory/classify.ts';
import { SNAPSHOT_KINDS } from '../../contracts/stateDirectory/ring.ts';
import { PlanView } from './contracts.ts';

export const BucketName = z.enum(BUCKETS);

const AuditedEntry = z.object({
  name: z.string(),
  size: z.number(),
  mtime: z.string(),
  isDir: z.boolean(),
  stale: z.boolean().optional(),
});

export const AuditView = z.object({
  stateDir: z.string().nullable(),
  /** The names that only a directory newer than the oldest contract has. */
  newerNames: z.array(z.string()),
  counts: z.object({
    canonical: z.number(),
    pattern_allowed: z.number(),
    ephemeral: z.number(),
    ad_hoc: z.number(),
    total: z.number(),
  }),
  totalBytes: z.number(),
  buckets: z.record(BucketName, z.array(AuditedEntry)),
});

const object = z.record(z.string(), z.unknown());

/** The values of workflow.yaml. */
export const WorkflowView = object;

export const ContentsView = z.object({
  workflow: object.nullable(),
  sidecars: z.record(z.string(), object.nullable()),
  statuses: z.record(z.string(), z.string().nullable()),
  inputs: z.record(z.string(), object.nullable()),
});

export const InitView = z.object({
  applied: z.boolean(),
  evict: PlanView,
  cleanup: PlanView,
  /** As it is on disk afterwards; null if there is none. */
  workflow: object.nullable(),
});

export const SnapshotView = z.object({
  name: z.string(),
  kind: z.enum(SNAPSHOT_KINDS),
  workflowType: z.string().nullable(),
  task: z.string().nullable(),
  files: z.number(),
});

export const ReferencesView = z.object({
  references: z.array(z.object({ file: z.string(), line: z.number(), name: z.string(), bucket: BucketName })),
});

export const ClassifiedView = z.array(z.object({ name: z.string(), bucket: BucketName, resetExempt: z.boolean() }));
export const LaneView = z.object({ lane: z.string(), slug: z.string(), file: z.string() });
