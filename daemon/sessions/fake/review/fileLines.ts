/** Reads a file of the worktree; undefined if there is none. */
export type ReadFile = (path: string) => string | undefined;

/** The lines of a text. The end of the last line is not one more line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The text of one line; undefined if the file does not have it. */
export function lineAt(read: ReadFile, path: string, line: number): string | undefined {
  const text = read(path);
  return text === undefined ? undefined : linesOf(text)[line - 1];
}
