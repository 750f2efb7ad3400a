import { z } from 'zod';
import type { ContractCode, ContractId } from '../../contracts/report/codes.ts';
import { PathText, Time } from './refs.ts';

/** The repository, as an absolute path. It need not be a git repository. */
export const repo = PathText;

// The documents name the type of a code, not all codes: they are in docs/contracts.md.
const code = z.string() as unknown as z.ZodType<ContractCode>;
const contractId = z.string() as unknown as z.ZodType<ContractId>;

export const ContractFinding = z.object({
  code,
  message: z.string(),
  path: z.string(),
  line: z.number().nullable(),
  field: z.string().optional(),
  step: z.number().optional(),
  section: z.string().optional(),
});

/** A contract that a repository uses, and what devflow says of its files. */
export const ConventionView = z.object({
  contract: z.string(),
  path: z.string(),
  /** The newest change of its files; null if it has none. */
  changedAt: Time.nullable(),
  errors: z.number().int(),
  warnings: z.number().int(),
  /** The errors, then the warnings: at most so many as a person reads. The numbers above count all. */
  findings: z.array(ContractFinding.extend({ severity: z.enum(['error', 'warning']) })),
});
export type ConventionView = z.infer<typeof ConventionView>;

/** `parsed` differs from contract to contract. */
export const ReportView = z.object({
  contract: z.string(),
  subject: z.string(),
  valid: z.boolean(),
  errors: z.array(ContractFinding),
  warnings: z.array(ContractFinding),
  parsed: z.unknown(),
});

export const PlanView = z.object({
  contract: contractId,
  subject: z.string(),
  applied: z.boolean(),
  actions: z.array(
    z.object({
      action: z.enum(['archive', 'remove']),
      path: z.string(),
      to: z.string().nullable(),
      reason: z.string(),
      bytes: z.number(),
      status: z.enum(['planned', 'done', 'error']),
    }),
  ),
  archivePath: z.string().nullable(),
  pruned: z.array(z.string()),
  totalBytes: z.number(),
  kept: z.array(z.string()).optional(),
  warnings: z.array(ContractFinding).optional(),
});
