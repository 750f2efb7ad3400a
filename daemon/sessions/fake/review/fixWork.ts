import { hasFile, readText, writeOrRemove, writeWhole } from '../lane/worktreeFiles.ts';
import { linesOf } from './fileLines.ts';
import { DEFECT } from './findingBatch.ts';
import type { FixChange } from './fixChange.ts';
import type { FixPrompt, NamedFinding } from './reviewPrompt.ts';

/** Fixes the findings in the worktree. Returns the artifact `dev/review-response@1`. */
export function fixFindings(cwd: string, { findings, changes }: FixPrompt, dedupKey: string) {
  if (changes.some(({ what }) => what === 'nothing')) {
    const answers = findings.map(({ id }) => ({ id, action: 'disputed' as const, note: 'The code is right.' }));
    return { summary: 'Changed nothing.', answers };
  }
  for (const path of new Set(findings.map((finding) => finding.path))) {
    if (!hasFile(cwd, path)) continue;
    const own = findings.filter((finding) => finding.path === path);
    writeWhole(cwd, path, fixedText(readText(cwd, path), own));
  }
  for (const change of changes) applyChange(cwd, change, dedupKey);
  const answers = findings.map(({ id, path, line }) => {
    return { id, action: 'fixed' as const, note: `Fixed line ${line} of ${path}.` };
  });
  return { summary: `Fixed ${findings.length} findings.`, answers };
}

/**
 * Removes the named lines that are marked as defects, and adds a line for each finding. A finding that comes back gets one
 * more line, so that every fix changes the tree. Pure.
 */
export function fixedText(text: string, findings: readonly Omit<NamedFinding, 'path'>[]): string {
  const named = new Set(findings.map(({ line }) => line));
  const kept = linesOf(text).filter((line, index) => !(named.has(index + 1) && line.includes(DEFECT)));
  return [...kept, ...findings.map(({ id }) => `fixed ${id.slice(0, 8)}`), ''].join('\n');
}

function applyChange(cwd: string, change: FixChange, dedupKey: string): void {
  switch (change.what) {
    case 'nothing':
      return;
    case 'adds': {
      const { path, lines } = change;
      const added = numbered(lines).map((nth) => `${DEFECT}${nth} ${dedupKey.slice(0, 12)}`);
      writeWhole(cwd, path, textOf([...linesOf(readText(cwd, path)), ...added]));
      return;
    }
    case 'moves': {
      const { path, to, lines } = change;
      // An earlier fix has moved it.
      if (!hasFile(cwd, path)) return;
      writeWhole(cwd, to, textOf(numbered(lines).map((nth) => `moved ${nth}`)) + readText(cwd, path));
      if (to !== path) writeOrRemove(cwd, path, '');
      return;
    }
    default:
      change satisfies never;
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
