import { contractOf } from '../../schemas/contracts/handover/document/contract.ts';
import { kindOf } from '../kinds/index.ts';
import { judge } from './iterate/judge.ts';
import { isBaseEnough } from './objective/measuring.ts';
import { isInIteration, iterationOf } from './run/iterations.ts';
import { newestArtifact } from './run/newestArtifact.ts';
import { definitionOf } from './run/query.ts';
import type { Phase, Run } from './run/state.ts';

export interface Skip {
  reason: string;
  /** The fact or the rule that shows it. */
  evidence?: string;
}

/** Why the phase has nothing to do; undefined if it has. */
export function skipOf(run: Run, phase: Phase): Skip | undefined {
  const given = run.skips.find((skip) => skip.phase === phase.key);
  if (given) return { reason: given.reason, evidence: given.evidence };
  if (kindOf(phase).isEmpty(run, phase)) return { reason: 'no commands and no gate' };
  const { skipWhen } = definitionOf(run, phase);
  if (skipWhen === 'no-research-topics' && topicsOf(run) === 0) {
    return { reason: 'the brief names no research topic', evidence: 'research_topics: 0' };
  }
  if (isInIteration(run, phase) && isBaseEnough(run)) {
    return { reason: 'the base meets the objective', evidence: 'backtest.objective_evaluated' };
  }
  const { until } = run.template.iterate ?? {};
  const isOver = isInIteration(run, phase) && iterationOf(run)?.endedAt === null && judge(run)?.isResolved;
  return isOver ? { reason: 'nothing is left to do in this iteration', evidence: until } : undefined;
}

/** The number of research topics in the approved brief; undefined without a brief. */
function topicsOf(run: Run): unknown {
  const brief = newestArtifact(run, contractOf('brief'))?.artifact;
  const { frontmatter } = (brief?.data ?? {}) as { frontmatter?: Record<string, unknown> };
  return frontmatter?.research_topics;
}
