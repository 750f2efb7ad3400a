import { defined } from '../../defined.ts';
import { hash } from '../../hash.ts';
import type { TemplateChange } from '../../rpc/views/lint.ts';
import { gatesOf, type Template } from '../template.ts';

/**
 * The differences of two templates in meaning: roles, phases, gates, commands and texts. Name and version do not count.
 */
export function diffTemplates(from: Template, to: Template): TemplateChange[] {
  return [
    ...fieldChanges('template', null, settingsOf(from), settingsOf(to)),
    ...listChanges('role', rolesOf(from), rolesOf(to)),
    ...listChanges('phase', phasesOf(from), phasesOf(to)),
  ];
}

type Fields = Readonly<Record<string, unknown>>;
type Items = ReadonlyMap<string, Fields>;

/** `defaultGates` shows in the gates of the phases. */
function settingsOf({ name, version, roles, phases, defaultGates, ...settings }: Template): Fields {
  return settings;
}

function rolesOf({ roles }: Template): Items {
  return new Map(roles.map(({ id, ...fields }) => [id, fields]));
}

function phasesOf(template: Template): Items {
  return new Map(
    template.phases.map((phase) => {
      const { key, ...fields } = phase;
      return [key, { ...fields, gates: gatesOf(template, phase) }];
    }),
  );
}

function listChanges(of: 'role' | 'phase', from: Items, to: Items): TemplateChange[] {
  const [before, after] = [[...from.keys()], [...to.keys()]];
  const removed = before.filter((id) => !to.has(id));
  // The order of roles means nothing.
  const moved = of === 'phase' ? movedKeys(before, after) : [];
  return [
    ...removed.map((id): TemplateChange => ({ change: 'removed', of, id, field: null })),
    ...after.flatMap((id): TemplateChange[] => {
      const old = from.get(id);
      if (!old) return [{ change: 'added', of, id, field: null }];
      const follows = moved.includes(id) ? [placeChange(of, id, before, after)] : [];
      return [...follows, ...fieldChanges(of, id, old, to.get(id) ?? {})];
    }),
  ];
}

/** A place is the phase before; null is the beginning. */
function placeChange(
  of: 'role' | 'phase',
  id: string,
  before: readonly string[],
  after: readonly string[],
): TemplateChange {
  const previous = (ids: readonly string[]) => ids[ids.indexOf(id) - 1] ?? null;
  return { change: 'moved', of, id, field: null, from: previous(before), to: previous(after) };
}

function fieldChanges(of: TemplateChange['of'], id: string | null, from: Fields, to: Fields): TemplateChange[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((field): TemplateChange[] => {
    const [old, next] = [from[field], to[field]];
    if (isSame(old, next)) return [];
    return [
      {
        change: 'changed',
        of,
        id,
        field,
        ...defined({ from: old, to: next }),
      },
    ];
  });
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || hash([a]) === hash([b]);
}

/** The keys of both lists that are not in the longest row of keys whose order stayed. */
export function movedKeys(before: readonly string[], after: readonly string[]): string[] {
  const places = new Map(before.map((key, index) => [key, index]));
  const common = after.filter((key) => places.has(key));
  const stayed = longestRise(common.map((key) => places.get(key) as number));
  return common.filter((_, index) => !stayed.has(index));
}

/** The indexes of one of the longest rising subsequences. */
function longestRise(values: readonly number[]): Set<number> {
  /** At `n`, the index of the lowest value that ends a rise of `n + 1` values. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, value] of values.entries()) {
    const found = ends.findIndex((end) => (values[end] as number) >= value);
    const length = found < 0 ? ends.length : found;
    before[index] = ends[length - 1];
    ends[length] = index;
  }
  const rise = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.add(index);
  return rise;
}
