import { contractOf } from '../../../schemas/contracts/handover/document/contract.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { auditSentence, failedAudits } from '../../core/exchange/failedAudits.ts';
import type { Run } from '../../core/run/state.ts';

/** The contracts that a run shows; nothing for runs without any. */
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
  const said = artifact?.hash === sha256 ? (artifact.warnings ?? []) : [];
  const warnings = [...said, ...(contract === contractOf('plan') ? failedSteps(run, path) : [])];
  return { phaseKey: phase?.key ?? '', contract, path, sha256, state: drift ? 'drifted' : 'published', warnings };
}

/** Faults that devflow found in the steps of the plan, at the plan. */
function failedSteps(run: Run, path: string) {
  const { failed = [] } = failedAudits(run) ?? {};
  return failed.map((audit) => ({ path, message: auditSentence(audit) }));
}

function iterationView({
  isResolved: resolved,
  issues,
  ...each
}: Run['iterations'][number]): NonNullable<RunDetail['iterations']>[number] {
  return { ...each, resolved, issues: issues.length };
}
