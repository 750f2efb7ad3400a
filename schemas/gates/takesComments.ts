import type { GateKind } from '../enums.ts';
import { holdsResult } from './gateKinds.ts';
import { isOwnGate, type OwnGate } from './ownGates.ts';

/** At other gates of devflow no agent reads a request for changes, or there is nothing to comment on. */
const OWN: readonly OwnGate[] = [
  'review_unconverged',
  'review_dispute',
  'iterations_exhausted',
  'objective_not_met',
] as const;

interface Gate {
  gateKey: string;
  kind: GateKind;
  laneId: string | null;
  assignment: string | null;
}

/** True if a request for changes at the gate may have comments on lines, files and documents. */
export function takesComments({ gateKey, kind, laneId, assignment }: Gate): boolean {
  if (isOwnGate(gateKey)) return OWN.includes(gateKey);
  return holdsResult({ kind }) && laneId === null && assignment === null;
}

/** True if the gate asks whether the phases of an iteration begin once more. */
export function asksForIteration({ gateKey }: Pick<Gate, 'gateKey'>): boolean {
  return gateKey === ('iterations_exhausted' satisfies OwnGate) || gateKey === ('objective_not_met' satisfies OwnGate);
}
