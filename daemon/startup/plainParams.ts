import { canBePath } from '../../schemas/files/pathText.ts';

/** Parameters that are texts of at least one character, or of a list of values. A name that ends with `?` may be absent. */
export type PlainParams = Readonly<Record<string, 'text' | readonly string[]>>;

/**
 * The parameters of one call if they are surely right; else undefined, and the schema of the method decides. To load zod and
 * build the schemas takes longer than to check a small repository.
 */
export function readPlainParams(declared: PlainParams, given: unknown): Record<string, unknown> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const left = new Map(Object.entries(given));
  for (const [key, kind] of Object.entries(declared)) {
    const name = key.replace('?', '');
    const value = left.get(name);
    const isRight = left.has(name) ? fits(kind, value) : key !== name;
    if (!isRight) return undefined;
    left.delete(name);
  }
  return left.size === 0 ? { ...given } : undefined;
}

function fits(kind: PlainParams[string], value: unknown): boolean {
  if (typeof value !== 'string') return false;
  // Some of these texts are paths. The schema judges a text that cannot be one.
  return kind === 'text' ? canBePath(value) : kind.includes(value);
}
