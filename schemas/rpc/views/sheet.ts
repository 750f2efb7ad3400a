import { z } from 'zod';
import { CommentView } from '../../comments/commentView.ts';
import { ApprovalDecisionAction, FindingSeverity } from '../../enums.ts';

/** A reason to look twice before deciding. */
export const Alarm = z.object({
  code: z.enum([
    'unanswered',
    'unconfirmed',
    'low_signal',
    'one_backend',
    'fake',
    'drift',
    'unreadable',
    'moved',
    'uncommitted',
    'nested',
    'not_done',
    'not_checked',
    'audit_failed',
    'checkout_changed',
    'agent_decided',
    'cost',
  ]),
  sentence: z.string(),
});
export type Alarm = z.infer<typeof Alarm>;

/** What an agent says about its own work. */
export const SaidView = z.object({
  roleId: z.string(),
  /** The lane of the work; null for the run's own worktree. */
  laneId: z.string().nullable(),
  artifactId: z.string(),
  summary: z.string(),
  howToCheck: z.array(z.string()),
  /** The points that the agent leaves open. */
  left: z.array(z.string()),
});
export type SaidView = z.infer<typeof SaidView>;

export const CheckView = z.object({
  argv: z.array(z.string()),
  /** Null while it runs, after a signal, and if the policy refused it. */
  exitCode: z.number().int().nullable(),
  reason: z.string().nullable(),
  /** The last lines of a failure, without secrets. */
  tail: z.string().nullable(),
  ms: z.number().nullable(),
  laneId: z.string().nullable(),
});
export type CheckView = z.infer<typeof CheckView>;

/** A fact with its name; null for one of a list. */
export const AboutView = z.object({
  name: z.string().nullable(),
  text: z.string(),
  /** A text of the repository, line by line. */
  isCode: z.boolean().optional(),
});
export type AboutView = z.infer<typeof AboutView>;

/** One page with everything that a decision needs, in the order in which a person reads it. */
export const Sheet = z.object({
  /** Hash of what is decided: the artifacts, the range of the change, and the worktree. */
  shown: z.string(),
  runTitle: z.string(),
  decides: z.string(),
  /** The consequence of each possible decision; empty after the decision. */
  leadsTo: z.array(z.object({ action: ApprovalDecisionAction, sentence: z.string() })),
  alarms: z.array(Alarm),
  /** The facts of the question itself, such as an error, its hint, or the paths that the gate is about. */
  about: z.array(AboutView),
  asked: z.object({
    requirements: z.string(),
    /** The last request for changes before this gate. */
    changes: z.string().nullable(),
  }),
  /** The comments of people up to this gate, with their answers. */
  comments: z.array(CommentView),
  said: z.array(SaidView),
  checks: z.array(CheckView),
  review: z
    .object({
      /** At most three. */
      lines: z.array(z.string()),
      blockers: z.array(
        z.object({ findingId: z.string(), severity: FindingSeverity, place: z.string(), summary: z.string() }),
      ),
    })
    .nullable(),
  /** In a loop that is judged by measurements: what is decided on, base, best, targets and holdout. */
  measured: z.array(z.string()),
  /** The rehearsal of a template. */
  walk: z.array(z.string()),
  change: z
    .object({
      base: z.string(),
      head: z.string(),
      files: z.array(z.object({ path: z.string(), insertions: z.number().int(), deletions: z.number().int() })),
      /** Files that are not listed here. */
      more: z.number().int(),
      insertions: z.number().int(),
      deletions: z.number().int(),
    })
    .nullable(),
  /** The artifacts under decision. `isSaid`: the sheet already has all of it elsewhere. */
  documents: z.array(
    z.object({
      artifactId: z.string(),
      schema: z.string(),
      path: z.string(),
      hash: z.string(),
      edited: z.boolean(),
      isSaid: z.boolean(),
    }),
  ),
});
export type Sheet = z.infer<typeof Sheet>;
