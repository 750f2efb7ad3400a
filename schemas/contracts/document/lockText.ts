/** The process that a lock names: a bare number, as upstream writes it. Undefined if it names none. */
export function readLock(text: string): number | undefined {
  const pid = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : 0;
  return pid > 0 ? pid : undefined;
}
