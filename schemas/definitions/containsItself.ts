/** True if a value contains itself, as with an alias inside of its own anchor. */
export function containsItself(root: unknown): boolean {
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null || done.has(value)) return false;
    if (open.has(value)) return true;
    open.add(value);
    const found = Object.values(value).some(visit);
    open.delete(value);
    done.add(value);
    return found;
  };
  return visit(root);
}
