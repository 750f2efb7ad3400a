import { outline } from '../../document/markdown.ts';

const SECTION = 'Edge Cases';
const NAMED = /^EC-\d{1,9}:[ \t]*(\S.*)$/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/;

/** True if a text has its own section of edge cases. */
export function hasEdgeCases(text: string): boolean {
  return outline(text).headings.some(isSection);
}

/** The edge cases in a text: headings such as `### EC-001: name` in their section, or its list. */
export function edgeCasesOf(text: string): string[] {
  const { headings, prose } = outline(text);
  const at = headings.findIndex(isSection);
  const section = headings[at];
  if (!section) return [];
  const after = headings.slice(at + 1);
  const next = after.find(({ level }) => level <= section.level);
  const inside = next ? after.slice(0, after.indexOf(next)) : after;
  const named = inside.flatMap(({ text: heading }) => NAMED.exec(heading)?.[1]?.trimEnd() ?? []);
  if (named.length > 0) return named;
  const lines = prose.slice(section.line, next && next.line - 1);
  return lines.flatMap((line) => ITEM.exec(line)?.[1]?.trimEnd() ?? []);
}

function isSection({ level, text }: { level: number; text: string }): boolean {
  return level === 2 && text === SECTION;
}
