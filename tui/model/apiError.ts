import { DevflowError } from '../../schemas/errors.ts';

/** An error as a person reads it. */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  /** The next step for the person. */
  readonly hint?: string;
  /** The faults of a text that the daemon did not take. */
  readonly faults?: readonly { path: string; message: string }[];
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof DevflowError)
    return { code: error.code, message: sentence(error.message), hint: error.recoveryHint, ...faultsIn(error) };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

function sentence(text: string): string {
  const capitalized = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capitalized) ? capitalized : `${capitalized}.`;
}

function faultsIn({ code, data }: DevflowError): Pick<ApiError, 'faults'> {
  const { errors } = data as { errors?: { path: string; message: string }[] };
  return code === 'artifact_invalid' && Array.isArray(errors) ? { faults: errors } : {};
}
