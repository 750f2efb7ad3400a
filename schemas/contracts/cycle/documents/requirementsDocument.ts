import { outline } from '../../document/markdown.ts';
import type { Requirements } from '../state/cycleState.ts';

const TITLE = '# Requirements Specification';
const HEADING = '## Edge Cases';
const VERSION = /v?(\d{1,9}\.\d{1,9}\.\d{1,9})\b/;
/** Where the version of a foreign title is looked for. */
const TITLE_LENGTH = 1000;

type Content = Pick<Requirements, 'specification' | 'edge_cases'>;

/** `ra/requirements.md`. Reading it gives back the requirements. */
export function requirementsDocument({ version, ...content }: Requirements): string {
  const { specification, edge_cases } = content;
  const isListed = edge_cases.length > 0 && !hasEdgeCases(specification);
  const list = isListed ? `\n${HEADING}\n\n${edge_cases.map((each) => `- ${each}\n`).join('')}` : '';
  const text = `${TITLE} - v${version}\n\n${specification}\n${list}`;
  return isSame(contentOf(text), content) ? text : `${text}${noteOf(content)}\n`;
}

/** The requirements in a document, which somebody else may have written. Without a version, it is the first one. */
export function readRequirements(text: string): Content & Pick<Requirements, 'version'> {
  const [, version = '1.0.0'] = VERSION.exec(firstLine(text).slice(0, TITLE_LENGTH)) ?? [];
  return { version, ...contentOf(text) };
}

function contentOf(text: string): Content {
  const head = firstLine(text);
  const isTitled = head.startsWith('# ');
  const body = isTitled ? withoutStart(withoutStart(text.slice(head.length), '\n'), '\n') : text;
  const noted = readNote(body);
  if (noted) return noted;
  const whole = body.endsWith('\n') ? body.slice(0, -1) : body;
  return withoutList(whole) ?? { specification: whole, edge_cases: edgeCasesOf(whole) };
}

/** The text before the list that devflow wrote at its end, and the list. */
function withoutList(text: string): Content | undefined {
  const mark = `\n\n${HEADING}\n\n- `;
  const at = text.lastIndexOf(mark);
  if (at < 0) return undefined;
  const [before, lines] = [text.slice(0, at), text.slice(at + mark.length - '- '.length)];
  const items = lines.split('\n');
  if (hasEdgeCases(before) || !items.every((item) => item.startsWith('- '))) return undefined;
  return { specification: before, edge_cases: items.map((item) => item.slice('- '.length)) };
}

const NOTE_STARTS = '<!-- devflow: ';
const NOTE_ENDS = ' -->';

/** Facts that a plain text cannot hold: the end of the specification, and edge cases that are no lines. */
function noteOf({ specification, edge_cases }: Content): string {
  const json = JSON.stringify({ characters: specification.length, edge_cases }).replaceAll('>', '\\u003e');
  return `${NOTE_STARTS}${json}${NOTE_ENDS}`;
}

function readNote(body: string): Content | undefined {
  const end = body.endsWith(`${NOTE_ENDS}\n`) ? body.length - 1 : body.length;
  const start = body.lastIndexOf('\n', end - 1) + 1;
  const line = body.slice(start, end);
  if (!line.startsWith(NOTE_STARTS) || !line.endsWith(NOTE_ENDS)) return undefined;
  try {
    const { characters, edge_cases } = JSON.parse(line.slice(NOTE_STARTS.length, -NOTE_ENDS.length));
    const isList = Array.isArray(edge_cases) && edge_cases.every((each) => typeof each === 'string');
    if (!isList || !Number.isSafeInteger(characters) || characters < 0 || characters >= start) return undefined;
    return { specification: body.slice(0, characters), edge_cases };
  } catch {
    return undefined;
  }
}

function isSame(a: Content, b: Content): boolean {
  return a.specification === b.specification && JSON.stringify(a.edge_cases) === JSON.stringify(b.edge_cases);
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text;
}

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
