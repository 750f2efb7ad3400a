export interface FileChange {
  /** The new path of a renamed file. */
  path: string;
  /** Lines; 0 for a binary file. */
  insertions: number;
  deletions: number;
}

/** Reads `--numstat -z`, where a rename is an empty path followed by the old and the new one. */
export function parseNumstat(text: string): FileChange[] {
  const parts = text.split('\0');
  const files: FileChange[] = [];
  for (let i = 0; i < parts.length; i++) {
    const match = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s.exec(parts[i] as string);
    if (!match) continue;
    const [, insertions, deletions, name] = match as unknown as [string, string, string, string];
    let path = name;
    if (name === '') {
      path = parts[i + 2] ?? '';
      i += 2;
    }
    files.push({ path, insertions: Number(insertions) || 0, deletions: Number(deletions) || 0 });
  }
  return files;
}

export function totals(files: readonly FileChange[]): { files: number; insertions: number; deletions: number } {
  return {
    files: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}
