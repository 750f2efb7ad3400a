import { z } from 'zod';
import { FLOW_NAMES, STATUSES } from '../../contracts/autodev/pointer.ts';

export const FlowName = z.enum(FLOW_NAMES);

const predicate = z.union([
  z.strictObject({ missing: z.string() }),
  z.strictObject({ present: z.string() }),
  z.strictObject({ flagFalse: z.tuple([z.string(), z.string()]) }),
]);

/** The data of a flow. */
export const FlowView = z.strictObject({
  steps: z.array(z.string()),
  optional: z.array(z.number()),
  boundaries: z.record(
    z.string(),
    z.strictObject({ completed: z.string(), next: z.string(), override: z.string().optional() }),
  ),
  afterLast: z.union([z.literal('done'), z.strictObject({ step: z.number(), cycle: z.string().optional() })]),
  internalState: z.record(z.string(), z.strictObject({ file: z.string(), field: z.string() })).optional(),
  rules: z.array(
    z.strictObject({
      id: z.string(),
      step: z.number(),
      gate: z.string().optional(),
      allows: z.array(z.number()),
      all: z.array(predicate).optional(),
      any: z.array(predicate).optional(),
    }),
  ),
});

const step = z.union([z.number(), z.literal('done')]);

export const PointerView = z.object({
  flow: FlowName,
  step,
  name: z.string(),
  status: z.enum(STATUSES),
  sub_step: z.object({ phase: z.number(), name: z.string(), detail: z.string() }),
  retry_count: z.number(),
  cycle: z.number(),
});

const numberOrText = z.union([z.number(), z.string()]).nullable();

/** As it was read: null is missing, and what is no number is a text. */
const ReadPointerView = z.object({
  flow: z.string().nullable(),
  step: numberOrText,
  name: z.string().nullable(),
  status: z.string().nullable(),
  sub_step: z.object({ phase: numberOrText, name: z.string().nullable(), detail: z.string() }).nullable(),
  retry_count: numberOrText,
  cycle: numberOrText,
});

const summary = z.array(z.object({ step: z.number(), name: z.string(), state: z.string() }));
const internal = z.object({ path: z.string(), name: z.string().nullable(), agrees: z.boolean() }).nullable();

export const ShownPointerView = z.object({ pointer: ReadPointerView, summary, internal });

export const DetectionView = z.object({
  flow: FlowName,
  flowRule: z.enum([
    'repo-config',
    'submodules',
    'workspace',
    'problem-statement',
    'source-code',
    'nothing-yet',
    'given',
    'pointer',
  ]),
  step: z.number(),
  name: z.string(),
  rule: z.string(),
  gate: z.string().nullable(),
  allows: z.array(z.number()),
  cycle: z.number(),
});

export const ReconciledView = z.object({
  source: z.enum(['state-file', 'folder-scan']),
  reason: z.enum(['missing', 'unreadable', 'folder', 'flow']).nullable(),
  before: ReadPointerView.nullable(),
  pointer: PointerView,
  detected: DetectionView,
  autoRetry: z.boolean(),
  needsUser: z.boolean(),
  summary,
  internal,
  written: z.boolean(),
});

export const RecordedView = z.object({
  pointer: PointerView,
  left: z.object({ step: z.number(), name: z.string(), status: z.enum(['completed', 'skipped']) }).nullable(),
  boundary: z
    .object({
      completed: z.string(),
      next: z.string(),
      override: z.string().nullable(),
      choose: z.string().nullable(),
    })
    .nullable(),
  autoChain: z.boolean(),
});
