/** True if a name fits a pattern in which `*` stands for any characters. It takes linear time. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  const end = rest.pop() as string;
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - end.length) return false;
    at = found + part.length;
  }
  return true;
}
