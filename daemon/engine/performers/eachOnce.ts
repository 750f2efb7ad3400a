import type { ValidationError } from '../../../schemas/events/artifact.ts';

/** The faults of a list that must have each asked id exactly once, and no other. */
export function eachOnce(list: string, items: readonly { id: string }[], asked: readonly string[]): ValidationError[] {
  const strange = items.flatMap(({ id }, index) =>
    asked.includes(id)
      ? []
      : [{ path: `/${list}/${index}/id`, message: 'Nobody asked about this id. Remove the entry.' }],
  );
  const wrong = asked.filter((id) => items.filter((item) => item.id === id).length !== 1);
  if (wrong.length === 0) return strange;
  // One fault for all, and the first: a repair prompt holds few, and an agent that reads some ids repairs only these.
  return [{ path: `/${list}`, message: `The list needs ${wrong.join(', ')} exactly once.` }, ...strange];
}
