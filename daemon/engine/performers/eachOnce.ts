import type { ValidationError } from '../../../schemas/events/artifact.ts';

/** The faults of a list that must have each asked id exactly once, and no other. */
export function eachOnce(list: string, items: readonly { id: string }[], asked: readonly string[]): ValidationError[] {
  const strange = items.flatMap(({ id }, index) =>
    asked.includes(id)
      ? []
      : [{ path: `/${list}/${index}/id`, message: 'Nobody asked about this id. Remove the entry.' }],
  );
  const missing = asked
    .filter((id) => items.filter((item) => item.id === id).length !== 1)
    .map((id) => ({ path: `/${list}`, message: `The list needs ${id} exactly once.` }));
  return [...strange, ...missing];
}
