import { DevflowError, type ErrorCode } from '../../../errors.ts';
import type { Finding } from '../../report/report.ts';

/** The status, or what has happened so far, does not allow it. */
export function refusal(code: ErrorCode, message: string, data: Record<string, unknown> = {}): DevflowError {
  return new DevflowError(code, message, { data });
}

export function transitionRefused(message: string, data: Record<string, unknown> = {}): DevflowError {
  return refusal('cycle_transition', message, data);
}

/** For a command whose input or result is not valid. */
export function invalid(message: string, errors: readonly Finding[]): DevflowError {
  return refusal('contract_invalid', message, { errors });
}
