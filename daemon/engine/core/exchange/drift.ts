import type { NewEvent } from '../../../../schemas/events/index.ts';
import type { Failure } from '../gates/escalate.ts';
import type { OutcomeOf } from '../run/outcome.ts';
import { restartPhase } from '../run/restartPhase.ts';
import type { Approval, Phase, Run } from '../run/state.ts';

type Drifts = NonNullable<OutcomeOf<'worktreeRead'>['drifts']>;

const CONTRACT_DRIFT = 'contract_drift';

/** What somebody else left in the place of published files. */
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
