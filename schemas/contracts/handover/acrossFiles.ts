import { type Finding, finding } from '../report/report.ts';
import type { Brief } from './document/brief.ts';
import { HANDOVER, type HandoverKind } from './document/contract.ts';
import type { ResearchFiles } from './document/research.ts';
import type { PlanDocument } from './plan/plan.ts';
import type { Progress } from './progress/progress.ts';
import type { Review } from './review/review.ts';

/** The readable files of a project; null if one is absent or broken. */
export interface ReadFiles {
  brief: Brief | null;
  research: ResearchFiles | null;
  plan: PlanDocument | null;
  progress: Progress | null;
  review: Review | null;
}

export type AcrossFiles = Partial<Record<HandoverKind, Finding[]>>;

const MOST_FINDINGS = 100;

/** Contradictions between files that may each be valid. All of them only warn. */
export function acrossFiles(files: ReadFiles, path: (kind: HandoverKind) => string): AcrossFiles {
  return {
    research: uncoveredTopics(files, path('research')),
    plan: [...unknownSources(files, path('plan')), ...uncoveredFindings(files, path('plan'))],
    progress: otherPlan(files, path('progress')),
  };
}

function uncoveredTopics({ brief, research }: ReadFiles, path: string): Finding[] {
  const { research_topics: topics, research_status: status } = brief?.frontmatter ?? {};
  const count = research?.files.length ?? 0;
  if (status !== 'complete' || typeof topics !== 'number' || count >= topics) return [];
  const message = `The brief has ${topics} research topics, all complete, and there are ${count} research files.`;
  return [finding('RESEARCH_TOPICS_UNCOVERED', message, { path })];
}

function otherPlan({ plan, progress }: ReadFiles, path: string): Finding[] {
  const total = progress?.total_steps;
  if (!plan || typeof total !== 'number' || total === plan.steps.length) return [];
  const message = `total_steps is ${total}, and the plan has ${plan.steps.length} steps.`;
  return [finding('PROGRESS_PLAN_MISMATCH', message, { path, field: 'total_steps' })];
}

/** The ids in the list and in the body of a review. */
function idsOf({ frontmatter, findings }: Review): Set<unknown> {
  const listed = Array.isArray(frontmatter.findings) ? frontmatter.findings : [];
  return new Set([...listed, ...findings.map(({ id }) => id)]);
}

function unknownSources({ plan, review }: ReadFiles, path: string): Finding[] {
  if (!plan || !review) return [];
  const known = idsOf(review);
  return plan.sourceFindings
    .filter((id) => !known.has(id))
    .slice(0, MOST_FINDINGS)
    .map((id) =>
      finding('PLAN_UNKNOWN_SOURCE_FINDING', `The review has no finding ${id}.`, { path, field: 'source_findings' }),
    );
}

function uncoveredFindings({ plan, review }: ReadFiles, path: string): Finding[] {
  const served = new Set(plan?.sourceFindings);
  return (review?.findings ?? [])
    .filter(({ id, severity }) => HANDOVER.severities.goals.includes(severity) && !served.has(id))
    .slice(0, MOST_FINDINGS)
    .map(({ id, severity }) =>
      finding('REMEDIATION_UNCOVERED_FINDING', `The ${severity} ${id} of the review is in no source_findings.`, {
        path,
        field: 'source_findings',
      }),
    );
}
