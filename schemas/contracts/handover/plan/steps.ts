import { shorten } from '../../../text/phrases.ts';
import type { Outline } from '../../document/markdown.ts';
import { type Finding, finding } from '../../report/report.ts';

/** A step as its heading names it, and the lines that belong to it. */
export interface StepHeading {
  number: number;
  title: string;
  line: number;
  /** The first line that does not belong to it. */
  endLine: number;
}

const MOST_STEPS = 1_000;
const STEP = /^### Step (0|[1-9]\d{0,8}): (.*\S)/;
const NEARLY = /^[*_~`"'[(]{0,4}steps?[*_~`"'[(\s.#:-]{0,8}\d/i;

/** The headings `### Step N: title`, in their order. Other headings that look like one are warned of. */
export function readSteps(
  { headings, prose }: Outline,
  bodyLine: number,
  path: string,
): { steps: StepHeading[]; findings: Finding[] } {
  const steps: StepHeading[] = [];
  const findings: Finding[] = [];
  let open: StepHeading | undefined;
  let count = 0;
  for (const { level, text, line } of headings) {
    const [, number, title] = (level === 3 && STEP.exec(prose[line - bodyLine] ?? '')) || [];
    if (number !== undefined && title !== undefined) {
      if (open) open.endLine = line;
      open = undefined;
      count += 1;
      if (count > MOST_STEPS) continue;
      open = { number: Number(number), title, line, endLine: Number.POSITIVE_INFINITY };
      steps.push(open);
      continue;
    }
    if (NEARLY.test(text)) {
      const message = `“${shorten(text)}” is no step; write ### Step N: title.`;
      findings.push(finding('PLAN_STEP_FORM', message, { path, line }));
    }
    if (level <= 2 && open) {
      open.endLine = line;
      open = undefined;
    }
  }
  if (steps.length === 0) {
    findings.push(finding('PLAN_NO_STEPS', 'The plan has no heading ### Step N: title.', { path }));
  }
  for (const each of numberingFindings(steps, path)) findings.push(each);
  if (count > MOST_STEPS) {
    const message = `The plan has ${count} steps; more than ${MOST_STEPS} are not read.`;
    findings.push(finding('PLAN_STEP_NUMBERING', message, { path, step: MOST_STEPS + 1 }));
  }
  return { steps, findings };
}

/** Each place where the number is not the next one. */
function numberingFindings(steps: readonly StepHeading[], path: string): Finding[] {
  return steps.flatMap(({ number, line }, index) => {
    const expected = (steps[index - 1]?.number ?? 0) + 1;
    if (number === expected) return [];
    const message = `Step ${number} stands where step ${expected} is expected.`;
    return [finding('PLAN_STEP_NUMBERING', message, { path, line, step: number })];
  });
}
