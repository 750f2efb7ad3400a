import { z } from 'zod';
import { Backend, FindingCategory, FindingSeverity, ReviewScope, VerifierStatus } from '../../enums.ts';
import { defineEvent, type KeyFacts } from '../../events/define.ts';
import { CommittedWork } from '../../events/phase.ts';
import { FailedSetup } from '../../events/worktree.ts';
import { Anchor, ChangedFile } from '../../place/place.ts';

/** Counts the rounds of a review phase, over all its attempts. */
const round = z.number().int().positive();
const findingId = z.string();
const line = z.number().int().positive();

/** The most that a brief has room for. */
export const MOST_BRIEF = { commits: 30, files: 200, known: 10, instructions: 20 } as const;

/** The description of a change for reviewers. Commits and paths are texts of those who made it. */
export const ChangeBrief = z.strictObject({
  commits: z.array(z.strictObject({ id: z.string(), text: z.string() })),
  files: z.array(z.strictObject({ status: z.string(), path: z.string(), added: z.number(), removed: z.number() })),
  /** The whole change: the lists may be cut. */
  totals: z.strictObject({ commits: z.number(), files: z.number(), added: z.number(), removed: z.number() }),
  /** Commands that the repository names at the base. */
  known: z.array(z.strictObject({ argv: z.array(z.string()), from: z.string() })),
  /** Changed files that agents get as instructions. */
  instructions: z.array(z.string()),
  /** Changed files that name where the measurement is written; absent if nothing was measured. */
  metricsNamedIn: z.array(z.string()).optional(),
});
export type ChangeBrief = z.infer<typeof ChangeBrief>;

/** Changed lines whose text a reviewer must quote, which shows that it read the file. `old`: lines that the change removed. */
export const Witness = z.strictObject({ path: z.string(), side: z.literal('old').optional(), lines: z.array(line) });
export type Witness = z.infer<typeof Witness>;

/** An agent of a look, and where it reads. */
export const Seat = z.strictObject({
  /** The key of its assignment. */
  assignment: z.string(),
  roleId: z.string(),
  laneId: z.string(),
  witnesses: z.array(Witness),
});
export type Seat = z.infer<typeof Seat>;

export const ReportedFinding = z.strictObject({
  findingId,
  /** False if an earlier batch reported it. */
  isNew: z.boolean(),
  severity: FindingSeverity,
  category: FindingCategory,
  filePath: z.string(),
  line,
  endLine: line,
  quote: z.string(),
  symbol: z.string().nullable(),
  summary: z.string(),
  /** The visible failure. */
  failure: z.string(),
  evidence: z.array(z.string()),
  /** A command that fails because of it. */
  reproduce: z.array(z.string()).nullable(),
  /** Older than the change under review. */
  isPreExisting: z.boolean(),
  /** Found too late to count: outside of the fix, or below high in the closing look. */
  isLate: z.boolean(),
  /** Null if the quote is not in the file. */
  anchor: Anchor.nullable(),
});
export type ReportedFinding = z.infer<typeof ReportedFinding>;

/** Lines of a file that an agent quoted. */
export const Quote = z.strictObject({ path: z.string(), line, text: z.string() });
export type Quote = z.infer<typeof Quote>;

const perAssignment =
  (type: string) =>
  ({ phaseId, payload }: KeyFacts<{ assignment: string }>) =>
    `${type}:${phaseId}:${payload.assignment}`;
const perFinding =
  (type: string) =>
  ({ payload }: KeyFacts<{ findingId: string; round: number }>) =>
    `${type}:${payload.findingId}:${payload.round}`;

export const reviewEvents = [
  defineEvent(
    'review.prepared',
    z.strictObject({
      round,
      /** 2: one more reviewer joins a look that found nothing. */
      nth: z.number().int().positive(),
      scope: ReviewScope,
      /** The commit that the change is compared with. */
      base: z.string(),
      /** The reviewed commit. */
      head: z.string(),
      /** The commit of the look before; null in the first one. */
      from: z.string().nullable(),
      /** Added and removed lines; a replaced line counts once. Older runs: added lines. */
      changedLines: z.number().int().nonnegative(),
      /** The differences between `from` and `head`. */
      fixed: z.array(ChangedFile),
      /** Absent in older runs, and where one more reviewer joins. */
      brief: ChangeBrief.optional(),
      seats: z.array(Seat),
    }),
    ({ phaseId, payload: { round, nth } }) => `review.prepared:${phaseId}:${round}:${nth}`,
  ),
  defineEvent(
    'review.batch_recorded',
    z.strictObject({
      round,
      assignment: z.string(),
      reviewerRole: z.string(),
      backend: Backend,
      findings: z.array(ReportedFinding),
      /** Its verdicts on the findings that were to be fixed. */
      prior: z.array(
        z.strictObject({ findingId, verdict: z.enum(['fixed', 'present', 'cannot_tell']), evidence: z.string() }),
      ),
    }),
    perAssignment('review.batch_recorded'),
  ),
  defineEvent(
    'review.asked',
    z.strictObject({
      round,
      assignment: z.string(),
      /** `verdict`: a verifier judges the findings. `fix`: the implementer answers them. */
      what: z.enum(['verdict', 'fix']),
      roleId: z.string(),
      laneId: z.string(),
      findings: z.array(findingId),
    }),
    perAssignment('review.asked'),
  ),
  defineEvent(
    'review.verdict_recorded',
    z.strictObject({ round, assignment: z.string() }),
    perAssignment('review.verdict_recorded'),
  ),
  defineEvent(
    'finding.verifier_resolved',
    z.strictObject({
      findingId,
      round,
      /** Counts the resolutions of this finding. */
      nth: z.number().int().positive(),
      status: VerifierStatus,
      /** `votes`: two backends reported it. `reproduction`: devflow saw its command fail. `verifier` and `person` decided. */
      by: z.enum(['votes', 'reproduction', 'verifier', 'person']),
      /** The verifier's role instance. */
      roleId: z.string().nullable(),
      backend: Backend.nullable(),
      reason: z.string(),
      quote: Quote.nullable(),
      /** The finding that is about the same defect. */
      duplicateOf: findingId.nullable(),
    }),
    ({ payload }) => `finding.verifier_resolved:${payload.findingId}:${payload.nth}`,
  ),
  defineEvent(
    'finding.fixed',
    z.strictObject({
      findingId,
      round,
      /** The role instances that say so. */
      by: z.array(z.string()),
    }),
    perFinding('finding.fixed'),
  ),
  defineEvent(
    'finding.accepted',
    z.strictObject({ findingId, round, comment: z.string().nullable() }),
    perFinding('finding.accepted'),
  ),
  defineEvent(
    'review.fix_committed',
    z.strictObject({
      round,
      assignment: z.string(),
      answers: z.array(
        z.strictObject({ findingId, action: z.enum(['fixed', 'disputed', 'wont_fix']), note: z.string() }),
      ),
      work: CommittedWork,
    }),
    perAssignment('review.fix_committed'),
  ),
  defineEvent(
    'review.checked',
    z.strictObject({
      round,
      /** `reproductions`: the commands of findings. `checks`: the project's own. */
      what: z.enum(['reproductions', 'checks']),
      tree: z.string(),
      results: z.array(
        z.strictObject({
          argv: z.array(z.string()),
          findingId: findingId.nullable(),
          /** Null if a signal ended it. */
          exitCode: z.number().int().nullable(),
          reason: z.string(),
          stdoutPath: z.string(),
          stderrPath: z.string(),
          /** The last lines of its output, if it failed. Absent in older runs. */
          tail: z.string().optional(),
        }),
      ),
      /** The commands ran without a set-up, which was guessed and failed. Absent: it went well, or there is none. */
      setup: FailedSetup.optional(),
    }),
    ({ phaseId, payload: { round, what } }) => `review.checked:${phaseId}:${round}:${what}`,
  ),
] as const;
