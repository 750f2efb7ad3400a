/**
 * A file that a glob matches, named with the task's id where the glob leaves the name open: `src/T1.txt` for `src/**`.
 * Pure.
 */
export function fileFor(glob: string, id: string): string {
  const parts = glob.split('/').flatMap((part, index, all) => {
    if (part !== '**') return [concrete(part, id)];
    return index === all.length - 1 ? [`${id}.txt`] : [];
  });
  return parts.join('/');
}

function concrete(part: string, id: string): string {
  return part
    .replaceAll(/\{([^{},]*)[^{}]*\}/g, '$1')
    .replaceAll(/(?<!\\)\[([^\]!^])[^\]]*\]/g, '$1')
    .replaceAll(/\*+/g, id)
    .replaceAll('?', 'x')
    .replaceAll('\\', '');
}

/** The line that a task leaves in a file. In a test it is a test, so that losing it is losing one. */
export function lineFor(path: string, id: string): string {
  return /test|spec/.test(path) ? `test('${id}', () => {});` : id;
}

/** Adds a line once. */
export function withLine(text: string, line: string): string {
  if (text.split('\n').includes(line)) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

export function withoutLines(text: string, isGone: (line: string) => boolean): string {
  return text
    .split('\n')
    .filter((line) => !isGone(line))
    .join('\n');
}
