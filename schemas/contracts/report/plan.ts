import type { ContractId } from './codes.ts';
import type { Finding } from './report.ts';

/** One file that goes. Paths are relative to the repository. */
export interface PlannedAction {
  action: 'archive' | 'remove';
  path: string;
  /** Where it is now; null until the plan is carried out. */
  to: string | null;
  reason: string;
  bytes: number;
  status: 'planned' | 'done' | 'error';
}

/** A command's changes to files, planned or done. A dry run stops here, so it cannot differ from what is done. */
export interface Plan {
  contract: ContractId;
  subject: string;
  applied: boolean;
  actions: PlannedAction[];
  archivePath: string | null;
  /** Archives that were removed to make room. */
  pruned: string[];
  totalBytes: number;
  /** Names that a reset spares. */
  kept?: string[];
  warnings?: Finding[];
}

export function makePlan(
  contract: ContractId,
  subject: string,
  actions: readonly Pick<PlannedAction, 'action' | 'path' | 'reason' | 'bytes'>[],
): Plan {
  return {
    contract,
    subject,
    applied: false,
    actions: actions.map(({ action, path, reason, bytes }) => ({
      action,
      path,
      to: null,
      reason,
      bytes,
      status: 'planned',
    })),
    archivePath: null,
    pruned: [],
    totalBytes: actions.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
