import { z } from 'zod';
import { FindingCategory, FindingSeverity, VerifierStatus } from '../enums.ts';
import { defineEvent } from './define.ts';

const Finding = z.strictObject({
  findingId: z.string(),
  severity: FindingSeverity,
  category: FindingCategory,
  filePath: z.string().nullable(),
  line: z.number().int().nullable(),
  summary: z.string(),
  evidence: z.string().nullable(),
});

export const reviewEvents = [
  defineEvent(
    'review.batch_recorded',
    z.strictObject({ reviewerRole: z.string(), attempt: z.number().int().positive(), findings: z.array(Finding) }),
    ({ phaseId, payload }) => `review.batch_recorded:${phaseId}:${payload.reviewerRole}:${payload.attempt}`,
  ),
  defineEvent(
    'finding.verifier_resolved',
    z.strictObject({ findingId: z.string(), status: VerifierStatus }),
    ({ payload }) => `finding.verifier_resolved:${payload.findingId}`,
  ),
] as const;
