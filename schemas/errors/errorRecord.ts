import { CATALOGUE, DevflowError, type ErrorCode, type ErrorRecord } from '../errors.ts';
import { lossIn } from './databaseLoss.ts';
import { systemFault } from './systemFault.ts';

/** Any thrown value as an `ErrorRecord`. A foreign error becomes `internal`, unless files of devflow or of Postgres are the cause. */
export function toErrorRecord(error: unknown): ErrorRecord {
  if (error instanceof DevflowError) {
    return { code: error.code, class: error.class, message: error.message, hint: error.recoveryHint };
  }
  const said = error instanceof Error ? error.message : String(error);
  return (
    faultRecord(error) ?? {
      code: 'internal',
      class: CATALOGUE.internal.class,
      message: said,
      hint: CATALOGUE.internal.hint,
    }
  );
}

/** If the machine refused a request. A run repeats a failed write, and a request does not. */
export function requestFault(error: unknown): ErrorRecord | undefined {
  const record = faultRecord(error);
  return record?.code === 'disk_full' ? { ...record, hint: 'Free some space, then try again.' } : record;
}

/** The same, for a request to a daemon, whose database may go away meanwhile. */
export function handlerFault(error: unknown): ErrorRecord | undefined {
  return requestFault(error) ?? lossRecord(error);
}

function lossRecord(error: unknown): ErrorRecord | undefined {
  const said = lossIn(error);
  if (said === undefined) return undefined;
  const message = `The database cannot be reached: ${said.replace(/\.$/, '')}.`;
  const { class: kind, hint } = CATALOGUE.db_unreachable;
  return { code: 'db_unreachable', class: kind, message, hint };
}

function faultRecord(error: unknown): ErrorRecord | undefined {
  const fault = systemFault(error);
  if (!fault) return undefined;
  const { class: kind, hint } = CATALOGUE[fault.code];
  return { code: fault.code, class: kind, message: fault.message, hint: fault.hint ?? hint };
}

/** A fault of the machine or its disk. Recovering the agent does not help. */
export function isMachineFault(code: ErrorCode): boolean {
  return ['disk_full', 'workspace_permissions', 'file_system_failed', 'path_unsafe'].includes(code);
}

/** True if a write failed for lack of space. A watch fails with the same code if there are too many watches. */
export function isDiskFull(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return (code === 'ENOSPC' || code === 'EDQUOT') && syscall !== 'watch';
}
