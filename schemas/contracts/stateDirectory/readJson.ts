import { isDeeper } from '../document/json.ts';

/** Deeper values could not be printed again. */
const DEEPEST = 200;

export type Json = { ok: true; value: unknown } | { ok: false; reason: string };

/** Reads JSON that a program or an agent wrote. */
export function readJson(text: string): Json {
  if (isDeeper(text, DEEPEST)) return { ok: false, reason: `it is nested more than ${DEEPEST} levels deep` };
  try {
    return { ok: true, value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch {
    return { ok: false, reason: 'it is not JSON' };
  }
}
