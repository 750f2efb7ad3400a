/**
 * The texts between `{{` and `}}`, and those around them. One pass: a regular expression takes minutes on many braces.
 */
export function splitPlaceholders(text: string): { names: string[]; around: string[] } {
  const names: string[] = [];
  const around: string[] = [];
  let rest = 0;
  let from = 0;
  for (let end = text.indexOf('}}'); end >= 0; end = text.indexOf('}}', from)) {
    const segment = Math.max(from, text.lastIndexOf('}', end - 1) + 1);
    const at = text.slice(segment, end).indexOf('{{');
    from = at < 0 ? end + 1 : end + 2;
    if (at < 0) continue;
    names.push(text.slice(segment + at + 2, end));
    around.push(text.slice(rest, segment + at));
    rest = from;
  }
  return { names, around: [...around, text.slice(rest)] };
}
