import type { Assignment } from '../run/state.ts';

const texts = new WeakMap<object, string>();

/** The content of an artifact, if later decisions depend on it. */
export function said({ artifact }: Assignment): string {
  const { data } = artifact ?? {};
  if (typeof data !== 'object' || data === null) return '';
  const known = texts.get(data) ?? JSON.stringify(data);
  texts.set(data, known);
  return known;
}
