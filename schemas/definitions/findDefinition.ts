import { DevflowError } from '../errors.ts';
import { nearest } from '../text/nearest.ts';

interface Named {
  name: string;
  version: number;
  /** False if its file is gone. Then only the whole `name@version` finds it. */
  published?: boolean;
}

/** The definition for `name@version`, or the newest of a name. Throws with the nearest name if there is none. */
export function findDefinition<T extends Named>(all: readonly T[], ref: string, kind: 'template' | 'persona'): T {
  const published = all.filter((each) => each.published !== false);
  const found = all.find((each) => labelOf(each) === ref) ?? newest(published.filter(({ name }) => name === ref));
  if (found) return found;
  const known = published.map((each) => (ref.includes('@') ? labelOf(each) : each.name));
  const meant = nearest(ref, known);
  const hint = meant ? `; the nearest is ${meant}` : '';
  const code = kind === 'template' ? 'template_not_found' : 'persona_not_found';
  throw new DevflowError(code, `There is no ${kind} ${ref}${hint}.`, { data: { ref, nearest: meant } });
}

function labelOf({ name, version }: Named): string {
  return `${name}@${version}`;
}

function newest<T extends Named>(all: readonly T[]): T | undefined {
  return [...all].sort((a, b) => b.version - a.version)[0];
}
