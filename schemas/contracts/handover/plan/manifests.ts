import type { Fence } from '../../document/markdown.ts';
import { type Finding, finding } from '../../report/report.ts';
import { type Manifest, readManifest } from '../manifest/manifest.ts';
import type { StepHeading } from './steps.ts';

export interface PlanStep {
  number: number;
  title: string;
  line: number;
  /** Null if the step has no manifest that can be read. */
  manifest: Manifest | null;
}

/** More text would keep the reader busy for seconds. */
const MOST_CHARACTERS = 128 * 1024;

/** Finds and reads the manifest of each step. */
export function readManifests(
  steps: readonly StepHeading[],
  all: readonly Fence[],
  path: string,
): { steps: PlanStep[]; findings: Finding[] } {
  const fences = all.filter(isManifest);
  const findings: Finding[] = [];
  let total = 0;
  let next = 0;
  const read = steps.map(({ number, title, line, endLine }): PlanStep => {
    while (next < fences.length && (fences[next] as Fence).line < line) next += 1;
    const [first] = fences.slice(next, next + 1).filter((fence) => fence.line < endLine);
    if (!first) {
      const message = `Step ${number} has no manifest, a fenced yaml block that begins with manifest:.`;
      findings.push(finding('MANIFEST_MISSING', message, { path, line, step: number }));
      return { number, title, line, manifest: null };
    }
    total += first.text.length;
    const { manifest, findings: found } =
      total > MOST_CHARACTERS ? tooLong(first, number, path) : readManifest(first, number, path);
    findings.push(...found);
    return { number, title, line, manifest };
  });
  if (fences.length !== steps.length || hasTwo(steps, fences)) {
    const message = `The number of manifests (${fences.length}) is not that of the steps (${steps.length}); each step has exactly one.`;
    findings.push(finding('PLAN_MANIFEST_COUNT_MISMATCH', message, { path }));
  }
  return { steps: read, findings };
}

/** Other yaml blocks are examples. */
function isManifest({ info, text }: Fence): boolean {
  if (info.split(/\s/, 1)[0] !== 'yaml') return false;
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end).trim();
    if (line !== '' && !line.startsWith('#')) return /^manifest:(?:\s|$)/.test(line);
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}

function hasTwo(steps: readonly StepHeading[], fences: readonly Fence[]): boolean {
  let at = 0;
  return steps.some(({ line, endLine }) => {
    let count = 0;
    while (at < fences.length && (fences[at] as Fence).line < endLine) {
      if ((fences[at] as Fence).line > line) count += 1;
      at += 1;
    }
    return count > 1;
  });
}

function tooLong(fence: Fence, step: number, path: string): { manifest: Manifest | null; findings: Finding[] } {
  const message = `The manifest of step ${step} was not read: the manifests together have more than ${MOST_CHARACTERS} characters.`;
  return { manifest: null, findings: [finding('MANIFEST_SYNTAX', message, { path, line: fence.line, step })] };
}
