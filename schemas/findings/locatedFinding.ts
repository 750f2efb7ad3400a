import type { LocatedFinding } from '../rpc/views/findings.ts';
import { counted } from '../text/phrases.ts';

/** More findings of a gate are only counted. */
const MOST_OF_A_GATE = 100;

/** `plan.md:12`, `line 12` of the only file, or only the path if the finding is about a whole file. */
export function findingPlace({ path, line }: { path: string; line?: number | null }): string {
  if (line === null || line === undefined) return path;
  return path === '' ? `line ${line}` : `${path}:${line}`;
}

/** `plan.md:12: the heading is missing [PLAN_HEADING]`. */
export function findingSentence(finding: {
  path: string;
  message: string;
  line?: number | null;
  code?: string;
}): string {
  const place = findingPlace(finding);
  const code = finding.code === undefined ? '' : ` [${finding.code}]`;
  return `${place === '' ? '' : `${place}: `}${finding.message}${code}`;
}

/** The findings that a gate is about, a sentence each. Empty for other gates: those of a review have only ids there. */
export function gateFindingItems(subject: Readonly<Record<string, unknown>>): string[] {
  const all = Array.isArray(subject.findings) ? subject.findings.filter(isFinding) : [];
  const more = all.length - MOST_OF_A_GATE;
  return [
    ...all.slice(0, MOST_OF_A_GATE).map(findingSentence),
    ...(more > 0 ? [`… and ${counted(more, 'more finding')}`] : []),
  ];
}

/** An iteration's open issues, a sentence each. Empty for other gates. */
export function openIssues({ issues }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(issues) ? issues.filter((issue) => typeof issue === 'string') : [];
}

/** Without zod, which commands and the dashboard do not load. */
function isFinding(value: unknown): value is LocatedFinding {
  if (typeof value !== 'object' || value === null) return false;
  const { path, message, code = '', line = 0 } = value as Record<string, unknown>;
  return [path, message, code].every((each) => typeof each === 'string') && (line === null || typeof line === 'number');
}
