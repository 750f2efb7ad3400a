import { type Line, type Span, type Style, span } from './line.ts';
import { theme } from './theme.ts';

/** The markup within a line of Markdown: escapes, code, strong, emphasis, links, entities and line breaks. */
const PARTS =
  /\\([!-/:-@[-`{-~])|(`+)(.+?)\2(?!`)|(\*\*|__)(?=\S)(.+?)\4|(?<!\w)([*_])(?=\S)([^*_]+?)\6(?!\w)|!?\[([^\]]*)\]\(([^)\s]*)\)|&(lt|gt|amp|quot|#39|#4[89]|#5[0-7]);|<br ?\/?>/i;

/** Longer text is not parsed: the expression backtracks. */
const MAX_LENGTH = 4_000;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** The spans of a line of Markdown. Other markup stays as it was written. */
export function inlineMarkdown(text: string, style?: Style): Line {
  if (text.length > MAX_LENGTH) return [span(text, style)];
  const spans: Span[] = [];
  let rest = text;
  for (let found = PARTS.exec(rest); found; found = PARTS.exec(rest)) {
    push(spans, rest.slice(0, found.index), style);
    spans.push(...partOf(found, style));
    rest = rest.slice(found.index + found[0].length);
  }
  push(spans, rest, style);
  return spans;
}

function partOf(found: RegExpExecArray, style?: Style): Line {
  const [, escaped, ticks, code = '', strong, bold = '', emphasis, emphasized = '', label, address = '', entity] =
    found;
  if (escaped !== undefined) return [span(escaped, style)];
  if (ticks !== undefined) return [span(code.replace(/^ (.*\S.*) $/, '$1'), { ...style, ...theme.accent })];
  if (strong !== undefined) return inlineMarkdown(bold, { ...style, bold: true });
  if (emphasis !== undefined) return inlineMarkdown(emphasized, { ...style, underline: true });
  if (entity !== undefined) return [span(signOf(entity.toLowerCase()), style)];
  if (label === undefined) return [span(' ', style)];
  const shown = inlineMarkdown(label, { ...style, underline: true });
  return address === '' || address === label ? shown : [...shown, span(` (${address})`, { ...style, ...theme.muted })];
}

/** A number is an apostrophe, or the digit that a report escapes at the beginning of a line. */
function signOf(entity: string): string {
  return entity.startsWith('#') ? String.fromCharCode(Number(entity.slice(1))) : (ENTITIES[entity] ?? '');
}

function push(spans: Span[], text: string, style?: Style): void {
  if (text !== '') spans.push(span(text, style));
}
