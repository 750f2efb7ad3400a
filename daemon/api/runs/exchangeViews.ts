import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { Run } from '../../engine/core/run/state.ts';

/** What a run with contracts shows of them; nothing for other runs. */
export function exchangeViews(run: Run): Pick<RunDetail, 'handovers' | 'iterations'> {
  const { published, iterations } = run;
  return {
    ...(published.length === 0 ? {} : { handovers: published.map((each) => handoverView(run, each)) }),
    ...(iterations.length === 0 ? {} : { iterations: iterations.map(iterationView) }),
  };
}

function handoverView(run: Run, each: Run['published'][number]): NonNullable<RunDetail['handovers']>[number] {
  const { phaseId, assignment, contract, path, sha256, drift } = each;
  const phase = run.phases.find(({ id }) => id === phaseId);
  const artifact = phase?.assignments.find(({ key }) => key === assignment)?.artifact;
  const warnings = artifact?.hash === sha256 ? (artifact.warnings ?? []) : [];
  return { phaseKey: phase?.key ?? '', contract, path, sha256, state: drift ? 'drifted' : 'published', warnings };
}

function iterationView({
  isResolved: resolved,
  issues,
  ...each
}: Run['iterations'][number]): NonNullable<RunDetail['iterations']>[number] {
  return { ...each, resolved, issues: issues.length };
}
