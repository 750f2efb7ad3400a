import { beginOf } from '../../schemas/sheet/documentLine.ts';
import { type SheetLine, type SheetPart, sheetParts } from '../../schemas/sheet/sheetLines.ts';
import { counted } from '../../schemas/text/phrases.ts';
import type { ReportDocument } from './document.ts';
import { code, fenced, inline } from './markdownText.ts';

/** The parts that say on what a person decided. The report has the others itself. */
const SHOWN: readonly SheetPart['id'][] = ['alarms', 'about', 'said', 'checks', 'review', 'measured', 'walk'];
/** A long run has many gates; the JSON has all of their pages. */
const MOST_SHEETS = 50;

/** What each decision was about, as its page said it then. */
export function sheetsMarkdown({ sheets, approvals }: Pick<ReportDocument, 'sheets' | 'approvals'>): string {
  const shown = sheets.slice(-MOST_SHEETS).map(({ approvalId, sheet }) => {
    const gate = approvals.find(({ id }) => id === approvalId);
    const parts = sheetParts(sheet, []).filter(({ id }) => SHOWN.includes(id));
    const title = `### ${code(gate?.gateKey ?? approvalId)}: ${inline(sheet.decides)}`;
    return [title, ...parts.map(partMarkdown)].join('\n\n');
  });
  const rest = sheets.length - shown.length;
  const more =
    rest > 0 ? [`${counted(rest, 'earlier decision is', 'earlier decisions are')} in the JSON of this report.`] : [];
  return [...more, ...shown].join('\n\n');
}

function partMarkdown({ title, lines }: SheetPart): string {
  return [`**${inline(title)}**`, ...blocksOf(lines).map(blockMarkdown)].join('\n\n');
}

/** Lines of code stand together in one fence. */
function blocksOf(lines: readonly SheetLine[]): SheetLine[][] {
  const blocks: SheetLine[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    const joins = last !== undefined && (last[0]?.as === 'code') === (line.as === 'code');
    if (joins) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function blockMarkdown(lines: readonly SheetLine[]): string {
  if (lines[0]?.as === 'code') return fenced(lines.map((line) => `${beginOf(line)}${line.text}`).join('\n'));
  return lines
    .filter(({ text, mark }) => text !== '' || mark !== undefined)
    .map(({ text, mark, depth }) => {
      const label = mark === undefined || mark === '•' ? '' : `${mark} `;
      return `${'  '.repeat(depth)}- ${inline(`${label}${text}`)}`;
    })
    .join('\n');
}
