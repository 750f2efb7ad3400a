import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { FindingCategory, FindingSeverity, FindingState, VerifierStatus } from '../../../schemas/enums.ts';
import { createdAt, id, oneOf, updatedAt } from './columns.ts';
import { runPhases } from './phases.ts';
import { runs } from './runs.ts';

export const reviewFindings = pgTable(
  'review_findings',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    phaseId: uuid('phase_id').references(() => runPhases.id),
    reviewerRole: text('reviewer_role').notNull(),
    severity: text('severity').$type<FindingSeverity>().notNull(),
    category: text('category').$type<FindingCategory>().notNull(),
    filePath: text('file_path'),
    line: integer('line'),
    summary: text('summary').notNull(),
    evidence: text('evidence'),
    verifierStatus: text('verifier_status').$type<VerifierStatus>().notNull().default('unverified'),
    state: text('state').$type<FindingState>().notNull().default('unverified'),
    /** Reporters, answers and history: what is only shown. */
    details: jsonb('details').notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('review_findings_run_id_idx').on(t.runId),
    oneOf('review_findings_severity_check', t.severity, FindingSeverity.options),
    oneOf('review_findings_category_check', t.category, FindingCategory.options),
    oneOf('review_findings_verifier_status_check', t.verifierStatus, VerifierStatus.options),
    oneOf('review_findings_state_check', t.state, FindingState.options),
  ],
);
