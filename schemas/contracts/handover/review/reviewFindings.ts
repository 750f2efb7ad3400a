import { HANDOVER } from '../document/contract.ts';
import type { ReadDocument } from '../document/readDocument.ts';

/** A finding of a review: a section `### <id>` below the heading of its severity. */
export interface ReviewFinding {
  id: string;
  severity: string;
  line: number;
  /** The beginning of its section. */
  text: string;
}

const MOST_CHARACTERS = 4_000;
const SEVERITIES = [...HANDOVER.severities.goals, ...HANDOVER.severities.skipped];
const SECTION = new RegExp(`^Findings \\((${SEVERITIES.join('|')})\\)$`);
const ID = /^([0-9a-f]{40})(?:\s|$)/;

/** The findings of the body, the most severe first. A finding that stands there twice has its higher severity. */
export function reviewFindings({ outline: { headings }, body, bodyLine }: ReadDocument): ReviewFinding[] {
  const lines = body.split('\n');
  const found: ReviewFinding[] = [];
  let severity: string | undefined;
  for (const [index, { level, text, line }] of headings.entries()) {
    if (level <= 2) severity = level === 2 ? SECTION.exec(text)?.[1] : undefined;
    const [, id] = (level === 3 && ID.exec(text)) || [];
    if (severity === undefined || id === undefined) continue;
    found.push({
      id,
      severity,
      line,
      text: textBetween(lines, line - bodyLine + 1, endOf(headings, index) - bodyLine),
    });
  }
  const ordered = SEVERITIES.flatMap((each) => found.filter((one) => one.severity === each));
  const seen = new Set<string>();
  return ordered.filter(({ id }) => {
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** The line of the next heading that ends the section. */
function endOf(headings: ReadDocument['outline']['headings'], index: number): number {
  for (let at = index + 1; at < headings.length; at += 1) {
    const { level, line } = headings[at] as { level: number; line: number };
    if (level <= 3) return line;
  }
  return Number.POSITIVE_INFINITY;
}

function textBetween(lines: readonly string[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < Math.min(to, lines.length) && text.length < MOST_CHARACTERS; at += 1) {
    text += `${lines[at]}\n`;
  }
  return text.slice(0, MOST_CHARACTERS).trim();
}
