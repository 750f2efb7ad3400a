import { DRAFT_CODES, type DraftCode } from '../../../schemas/draftCodes.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';

/** A fault of a draft, for its author. */
export function draftFault(path: string, code: DraftCode, message: string): ValidationError {
  return { path, message: `${code}: ${message}. ${DRAFT_CODES[code].hint}` };
}
