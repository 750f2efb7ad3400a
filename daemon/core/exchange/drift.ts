import { DevflowError } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { OutcomeOf } from '../effect/outcome.ts';
import type { Failure } from '../gates/escalate.ts';
import { requestApproval } from '../gates/requestApproval.ts';
import type { StaleApproval } from '../gates/staleApproval.ts';
import { checksDriftsAgain } from '../run/behaviour.ts';
import { approvalKey } from '../run/keys.ts';
import { restartPhase } from '../run/restartPhase.ts';
import type { Approval, Phase, Run } from '../run/state.ts';
import { exchangeFaults } from './faults.ts';

export type Drifts = NonNullable<OutcomeOf<'worktreeRead'>['drifts']>;

export const CONTRACT_DRIFT = 'contract_drift';

/** A file can be valid and still wrong for its run. Then nobody can take it. */
export function checkedDrifts(run: Run, drifts: Drifts): Drifts {
  if (!checksDriftsAgain(run)) return drifts;
  return drifts.map((drift) => {
    const { data, ...facts } = drift;
    const faults = exchangeFaults(run, drift.contract, data);
    return faults.length === 0 ? drift : { ...facts, errors: [...drift.errors, ...faults], storedPath: null };
  });
}

/** Why an approval is refused, and the gate that replaces its gate: files changed once more while a person decided. */
export function refuseMovedFiles(run: Run, approval: Approval, found: Drifts | undefined): StaleApproval | undefined {
  const phase = run.phases.find(({ id }) => id === approval.phaseId);
  if (approval.gateKey !== CONTRACT_DRIFT || !found || !phase || !checksDriftsAgain(run)) return undefined;
  const drifts = checkedDrifts(run, found);
  const now = (path: string) => drifts.find((each) => each.path === path)?.found;
  const moved = run.published.filter(({ path, drift }) => drift?.found !== now(path)).map(({ path }) => path);
  if (moved.length === 0) return undefined;
  const restored = moved.filter((path) => now(path) === undefined);
  if (restored.length > 0) {
    const message = `${restored.join(', ')} is again what devflow published, and not what the gate shows.`;
    const recoveryHint = 'Request changes: the run goes on with what devflow published.';
    return {
      refused: new DevflowError('changes_under_decision', message, { runId: run.id, recoveryHint }),
    };
  }
  const { reason, subject } = driftFailure(phase, drifts);
  const gate = requestApproval(phase.id, {
    approvalKey: approvalKey(run, phase, CONTRACT_DRIFT, null, { nth: run.publications + drifts.length }),
    gateKey: CONTRACT_DRIFT,
    kind: 'recovery',
    phaseKey: phase.key,
    attempt: phase.attempts,
    artifactHash: null,
    subject: { ...approval.subject, reason, ...subject, supersedes: [approval.id] },
    timeoutMs: null,
  });
  const message = `${moved.join(', ')} changed again while the gate ${CONTRACT_DRIFT} waited. devflow opened a new gate.`;
  const recoveryHint = 'Review the new state and decide again: devflow approval list.';
  const refused = new DevflowError('changes_under_decision', message, { runId: run.id, recoveryHint });
  return { events: [...recordDrifts(run, phase, drifts), gate], refused };
}

/** Records what somebody else left in the place of published files. */
export function recordDrifts(run: Run, phase: Phase, drifts: Drifts): NewEvent[] {
  return drifts.map((drift, index) => ({
    type: 'contract.drifted',
    phaseId: phase.id,
    payload: { nth: run.publications + 1 + index, ...drift },
  }));
}

/** The phase that would read these files cannot begin before a person decides. */
export function driftFailure({ key }: Phase, drifts: Drifts): Failure {
  const names = drifts.map(({ path, found }) => `${path} was ${found === null ? 'removed' : 'changed'}`).join(', ');
  const reason = `${names} after devflow published it and before ${key} reads it`;
  const isInvalid = drifts.some(({ storedPath }) => storedPath === null);
  const findings = drifts.flatMap(({ path, errors }) =>
    errors.map((error) => ({ ...error, path: `${path} ${error.path}`.trim() })),
  );
  const subject = { paths: drifts.map(({ path }) => path), isInvalid, findings };
  return { code: 'contract_drifted', reason, gateKey: CONTRACT_DRIFT, subject };
}

/** `approve` takes what is there; its bytes are those that were checked when the gate opened. */
export function takeTheirs(run: Run, phase: Phase): NewEvent[] {
  const taken = run.published.filter(({ drift, isRestored }) => drift !== null && drift.found !== null && !isRestored);
  const events = taken.map(
    ({ phaseId, assignment, contract, path, drift }, index): NewEvent => ({
      type: 'artifact.published',
      phaseId,
      payload: {
        nth: run.publications + 1 + index,
        assignment,
        contract,
        path,
        sha256: drift?.found ?? '',
        isTheirs: true,
      },
    }),
  );
  return [...events, restartPhase(phase, 'retry', phase.changeRequest)];
}

/** `request_changes` puts devflow's bytes back. */
export function restorePublished(run: Run, { gateKey }: Pick<Approval, 'gateKey'>): Run {
  if (gateKey !== CONTRACT_DRIFT) return run;
  return { ...run, published: run.published.map((each) => (each.drift ? { ...each, isRestored: true } : each)) };
}
