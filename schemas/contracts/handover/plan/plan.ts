import type { Field } from '../../document/fields.ts';
import { parseFrontmatter, type RawValue } from '../../document/frontmatter.ts';
import { hasSection, type Outline, outline } from '../../document/markdown.ts';
import { type Finding, finding, type Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { FINDING_ID } from '../document/commonFields.ts';
import { HANDOVER } from '../document/contract.ts';
import { fileFault, handoverReport } from '../document/handoverReport.ts';
import { type PlanStep, readManifests } from './manifests.ts';
import { planVersion } from './planVersion.ts';
import { readSteps } from './steps.ts';

/** The frontmatter. Its check has words of its own. */
export const PLAN_FIELDS: readonly Field[] = [
  { name: 'plan_version', kind: 'line', isRequired: true, about: 'The version of the form, N.M.' },
  {
    name: 'source_findings',
    kind: 'list',
    isRequired: false,
    holds: { texts: { pattern: FINDING_ID } },
    about: 'The ids of the findings of a review that the plan repairs, one on each line.',
  },
];

export interface PlanDocument {
  planVersion: string | null;
  sourceFindings: string[];
  steps: PlanStep[];
}

/** Checks handover 4, `plan.md`. It is as strict for a reader as for the writer. */
export function checkPlan(file: FileText, path: string, subject = path): Report<PlanDocument> {
  const report = (findings: readonly Finding[], parsed: PlanDocument | null) =>
    handoverReport({ kind: 'plan', subject, mode: 'strict', findings, parsed });
  if (!file.ok) return report([fileFault('PLAN', file, path)], null);
  const { fields, faults, body, bodyLine } = parseFrontmatter(file.text);
  const isOpen = faults.some(({ code }) => code === 'FM_UNTERMINATED');
  const read = outline(body, bodyLine);
  const version = planVersion(fields, faults, read, path);
  if (isOpen) return report(version.findings, null);
  const sources = sourceFindings(fields.get('source_findings'), path);
  const steps = readSteps(read, bodyLine, path);
  const manifests = readManifests(steps.steps, read.fences, path);
  return report(
    [
      ...version.findings,
      ...sources.findings,
      ...sectionFindings(read, path),
      ...headingFindings(read, path),
      ...steps.findings,
      ...manifests.findings,
    ],
    { planVersion: version.version, sourceFindings: sources.ids, steps: manifests.steps },
  );
}

function sourceFindings(raw: RawValue | undefined, path: string): { ids: string[]; findings: Finding[] } {
  if (!raw || (raw.kind === 'scalar' && raw.raw === '')) return { ids: [], findings: [] };
  const at = { path, line: raw.line, field: 'source_findings' };
  if (raw.kind !== 'list') {
    const message = 'source_findings must be a list with one id on each line, not a text.';
    return { ids: [], findings: [finding('PLAN_BAD_SOURCE_FINDINGS', message, at)] };
  }
  const ids = raw.items.filter((item) => typeof item === 'string' && FINDING_ID.test(item)) as string[];
  const wrong = raw.items.length - ids.length;
  if (wrong === 0) return { ids, findings: [] };
  const message = `${wrong} of the ${raw.items.length} source_findings are no ids of 40 hex digits.`;
  return { ids, findings: [finding('PLAN_BAD_SOURCE_FINDINGS', message, at)] };
}

function sectionFindings(read: Outline, path: string): Finding[] {
  return HANDOVER.sections.plan
    .filter((section) => !hasSection(read, section))
    .map((section) => finding('PLAN_MISSING_SECTION', `The section ## ${section} is missing.`, { path, section }));
}

const FORBIDDEN = new RegExp(`^(?:${HANDOVER.plan.forbiddenHeadings.join('|')})\\s+\\d`, 'i');

/** Headings of a plan that became a story. */
function headingFindings({ headings }: Outline, path: string): Finding[] {
  const levels = new Set(HANDOVER.plan.forbiddenLevels);
  return headings
    .filter(({ level, text }) => levels.has(level) && FORBIDDEN.test(text))
    .map(({ level, text, line }) => {
      const [word] = text.split(/\s/, 1);
      const message = `A heading ${'#'.repeat(level)} ${word} N is not allowed; steps are ### Step N: title.`;
      return finding('PLAN_FORBIDDEN_HEADING', message, { path, line });
    });
}
