import { type ChangedFile, MOST_CHANGED_FILES } from '../../../schemas/place/place.ts';

type Hunks = ChangedFile['hunks'];

interface Place {
  path: string;
  line: number;
}

/** Where a line of the older commit is in the newer one. A replaced line becomes the nearest line of what replaced it. */
export function carryLine(hunks: Hunks, line: number): number {
  let moved = 0;
  for (const [oldStart, oldLines, newStart, newLines] of hunks) {
    // git names the line before an insertion. That line itself does not move.
    const first = oldLines === 0 ? oldStart + 1 : oldStart;
    if (line < first) break;
    if (line < first + oldLines) {
      const offset = Math.min(line - first, Math.max(0, newLines - 1));
      return Math.max(1, newStart + offset);
    }
    moved += newLines - oldLines;
  }
  return line + moved;
}

/** Finds a place of the older commit in the newer one. `isChanged`: the line itself was changed or removed. */
export function carryPlace(files: readonly ChangedFile[], { path, line }: Place): Place & { isChanged: boolean } {
  const file =
    files.find(({ from }) => from === path) ?? files.find((each) => each.from === null && each.path === path);
  if (!file) return { path, line, isChanged: false };
  if (file.isDeleted) return { path, line, isChanged: true };
  const isChanged = file.hunks.some(([start, count]) => line >= start && line < start + count);
  return { path: file.path, line: carryLine(file.hunks, line), isChanged };
}

/**
 * True if these lines of the newer commit touch what was changed. Beside removed lines, their neighbours count. Of a file
 * without hunks that was not only renamed, nobody knows the lines: all of it counts. So does every file that a full list
 * leaves out.
 */
export function isInFix(files: readonly ChangedFile[], path: string, line: number, endLine: number = line): boolean {
  const ofPath = files.filter((file) => file.path === path);
  if (ofPath.length === 0) return files.length >= MOST_CHANGED_FILES;
  return ofPath.some(
    (file) =>
      file.isDeleted ||
      (file.hunks.length === 0 && file.from === null) ||
      file.hunks.some(([, , start, count]) => {
        const last = count === 0 ? start + 1 : start + count - 1;
        return line <= last && Math.max(line, endLine) >= start;
      }),
  );
}
