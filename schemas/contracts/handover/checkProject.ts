import type { Finding, Mode, Report } from '../report/report.ts';
import { type TreeSnapshot, textOf } from '../report/tree.ts';
import { type AcrossFiles, acrossFiles } from './acrossFiles.ts';
import { discoverArchitecture } from './document/architecture.ts';
import { checkBrief } from './document/brief.ts';
import { contractOf, HANDOVER_KINDS, type HandoverKind, pathIn } from './document/contract.ts';
import { handoverReport } from './document/handoverReport.ts';
import { checkResearchDirectory } from './document/research.ts';
import { checkPlan } from './plan/plan.ts';
import { checkProgress } from './progress/progress.ts';
import { checkReview } from './review/review.ts';
import { checkSessionPrompt } from './session/sessionPrompt.ts';
import { checkSessionState, type SessionFacts } from './session/sessionState.ts';

export interface CheckedHandover {
  present: boolean;
  valid: boolean;
  errors: Finding[];
  warnings: Finding[];
}

export type CheckedProject = Record<HandoverKind, { isPresent: boolean; report: Report }>;

/**
 * Checks all handovers of a project, each as its reader does. Only the brief is required. `strict` is for who writes brief,
 * research and review.
 */
export function checkHandovers(
  tree: TreeSnapshot,
  project: string,
  mode: Mode,
  facts: SessionFacts = {},
): CheckedProject {
  const path = (kind: HandoverKind) => pathIn(project, kind);
  const file = (kind: HandoverKind) => textOf(tree, path(kind));
  const state = file('session-state');
  const read = {
    brief: checkBrief(file('brief'), path('brief'), mode),
    research: checkResearchDirectory(tree, path('research'), mode),
    architecture: discoverArchitecture(tree, path('architecture')),
    plan: checkPlan(file('plan'), path('plan')),
    progress: checkProgress(file('progress'), path('progress')),
    review: checkReview(file('review'), path('review'), mode),
    'session-state': checkSessionState(state, path('session-state'), facts),
    'session-prompt': checkSessionPrompt(file('session-prompt'), path('session-prompt'), { state }),
  };
  const isPresent = (kind: HandoverKind) => tree.entries.has(path(kind));
  const across = acrossFiles(
    {
      brief: read.brief.parsed,
      research: read.research.parsed,
      plan: read.plan.parsed,
      progress: read.progress.parsed,
      review: read.review.parsed,
    },
    path,
  );
  return Object.fromEntries(
    HANDOVER_KINDS.map((kind) => {
      const isChecked = isPresent(kind) || kind === 'brief';
      return [
        kind,
        { isPresent: isPresent(kind), report: withMore(isChecked ? read[kind] : absent(kind, path(kind)), across) },
      ];
    }),
  ) as CheckedProject;

  function withMore(report: Report, more: AcrossFiles): Report {
    const kind = HANDOVER_KINDS.find((each) => contractOf(each) === report.contract) as HandoverKind;
    return { ...report, warnings: [...report.warnings, ...(more[kind] ?? [])] };
  }
}

/** One report over all handovers of a project. */
export function checkProject(
  tree: TreeSnapshot,
  project: string,
  { mode = 'soft', subject = project, facts = {} }: { mode?: Mode; subject?: string; facts?: SessionFacts } = {},
): Report<{ handovers: Record<HandoverKind, CheckedHandover> }> {
  const checked = checkHandovers(tree, project, mode, facts);
  const reports = HANDOVER_KINDS.map((kind) => checked[kind].report);
  return {
    contract: 'handover',
    subject,
    valid: reports.every(({ valid }) => valid),
    errors: reports.flatMap(({ errors }) => errors),
    warnings: reports.flatMap(({ warnings }) => warnings),
    parsed: {
      handovers: Object.fromEntries(
        HANDOVER_KINDS.map((kind): [HandoverKind, CheckedHandover] => {
          const { isPresent, report } = checked[kind];
          const { valid, errors, warnings } = report;
          return [kind, { present: isPresent, valid, errors, warnings }];
        }),
      ) as Record<HandoverKind, CheckedHandover>,
    },
  };
}

/** An absent file is not wrong. */
function absent(kind: HandoverKind, path: string): Report {
  return handoverReport({ kind, subject: path, mode: 'strict', findings: [], parsed: null });
}
