import { requestFault } from '../../schemas/errors/errorRecord.ts';
import { CATALOGUE, type ErrorCode, type ErrorRecord } from '../../schemas/errors.ts';
import { visibleJson } from '../../schemas/text/visible.ts';
import type { Io } from '../io/io.ts';
import { visible } from './text.ts';

export interface Failure extends ErrorRecord {
  data: Record<string, unknown>;
  exit: number;
}

/**
 * Any thrown value as a failure to print. It does not use `instanceof`, because each command is bundled with its own
 * `DevflowError` class.
 */
export function toFailure(error: unknown): Failure {
  const known = error as { name?: unknown; code?: unknown; message?: unknown; recoveryHint?: unknown; data?: unknown };
  if (known?.name === 'DevflowError' && isCode(known.code)) {
    const { class: kind, exit, hint } = CATALOGUE[known.code];
    return {
      code: known.code,
      class: kind,
      message: String(known.message),
      hint: typeof known.recoveryHint === 'string' ? known.recoveryHint : hint,
      data: (known.data as Record<string, unknown>) ?? {},
      exit,
    };
  }
  const fault = requestFault(error);
  if (fault) return { ...fault, data: {}, exit: CATALOGUE[fault.code].exit };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', ...CATALOGUE.internal, message, data: {} };
}

/** Prints the sentence, the code and the hint on standard error; with `--json` as an object. */
export function printFailure(io: Io, failure: Failure, json: boolean): void {
  const { code, class: kind, message, hint, data } = failure;
  const sentence = `devflow: ${visible(message.trim()).replace(/\.$/, '')} [${code}]. ${visible(hint)}`;
  io.err(`${json ? visibleJson({ error: { code, class: kind, message, hint, data } }) : sentence}\n`);
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(CATALOGUE, code);
}
