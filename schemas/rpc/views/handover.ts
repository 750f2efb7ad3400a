import { z } from 'zod';
import { HANDOVER_KINDS } from '../../contracts/handover/document/contract.ts';
import { ContractFinding, PlanView, ReportView } from './contracts.ts';

export const KindOfHandover = z.enum(HANDOVER_KINDS);

const ReviewFinding = z.object({ id: z.string(), severity: z.string(), line: z.number(), text: z.string() });

/** `parsed` is null if the review cannot be read. */
export const RemediationView = ReportView.extend({
  parsed: z
    .object({
      goals: z.array(ReviewFinding),
      skipped: z.array(ReviewFinding),
      sourceFindings: z.array(z.string()),
    })
    .nullable(),
});

/** `handovers` has one entry for each kind. */
export const ProjectView = ReportView.extend({
  parsed: z
    .object({
      handovers: z.record(
        KindOfHandover,
        z.object({
          present: z.boolean(),
          valid: z.boolean(),
          errors: z.array(ContractFinding),
          warnings: z.array(ContractFinding),
        }),
      ),
    })
    .nullable(),
});

/** The steps are null if there was nothing to compare. */
export const DriftView = ReportView.extend({
  parsed: z
    .object({
      drift: z.boolean(),
      currentStep: z.number().nullable(),
      derivedStep: z.number().nullable(),
      written: z.boolean(),
      sessionState: z.enum(['absent', 'invalid', 'left alone', 'would refresh', 'refreshed']),
    })
    .nullable(),
});

export const NextSessionView = z.object({
  resumable: z.boolean(),
  message: z.string(),
  lines: z.tuple([z.string(), z.string(), z.string()]),
  /** Relative to the repository, as the state has it. */
  briefPath: z.string(),
  warnings: z.array(ContractFinding),
});

const fileState = z.enum(['found', 'removed', 'not found']);

export const CleanupView = PlanView.extend({ files: z.object({ state: fileState, prompt: fileState }) });
