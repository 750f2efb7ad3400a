import { DevflowError } from '../../schemas/errors.ts';

/** An error as a person reads it. */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  /** The next step for the person. */
  readonly hint?: string;
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof DevflowError)
    return { code: error.code, message: sentence(error.message), hint: error.recoveryHint };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

function sentence(text: string): string {
  const capitalized = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capitalized) ? capitalized : `${capitalized}.`;
}
