import { linesOf, type ReadFile } from './fileLines.ts';
import { DEFECT } from './findingBatch.ts';
import type { FixChange, FixPrompt, NamedFinding } from './reviewPrompt.ts';

/** The files that a fix changes, each with its new text, and the artifact `dev/review-response@1`. */
export interface Fix {
  /** An empty text removes the file. */
  files: Map<string, string>;
  response: { summary: string; answers: { id: string; action: 'fixed' | 'disputed'; note: string }[] };
}

/** Fixes the findings that name a file. Pure, but for `read`. */
export function fixFindings({ findings, changes }: FixPrompt, read: ReadFile, dedupKey: string): Fix {
  const files = new Map<string, string>();
  if (changes.some(({ what }) => what === 'nothing')) {
    const answers = findings.map(({ id }) => ({ id, action: 'disputed' as const, note: 'The code is right.' }));
    return { files, response: { summary: 'Changed nothing.', answers } };
  }
  for (const path of new Set(findings.map((finding) => finding.path))) {
    const own = findings.filter((finding) => finding.path === path);
    const text = read(path);
    if (text !== undefined) files.set(path, fixedText(text, own));
  }
  for (const change of changes) applyChange(change, dedupKey, files, read);
  const answers = findings.map(({ id, path, line }) => {
    return { id, action: 'fixed' as const, note: `Fixed line ${line} of ${path}.` };
  });
  return { files, response: { summary: `Fixed ${findings.length} findings.`, answers } };
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

function applyChange(change: FixChange, dedupKey: string, files: Map<string, string>, read: ReadFile): void {
  switch (change.what) {
    case 'nothing':
      return;
    case 'adds': {
      const { path, lines } = change;
      const added = numbered(lines).map((nth) => `${DEFECT}${nth} ${dedupKey.slice(0, 12)}`);
      files.set(path, textOf([...linesOf(files.get(path) ?? read(path) ?? ''), ...added]));
      return;
    }
    case 'moves': {
      const { path, to, lines } = change;
      const text = files.get(path) ?? read(path);
      // An earlier fix has moved it.
      if (!text) return;
      files.set(path, '');
      files.set(to, textOf(numbered(lines).map((nth) => `moved ${nth}`)) + text);
      return;
    }
    default:
      change satisfies never;
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
