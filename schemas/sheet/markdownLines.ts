import type { DocumentLine } from './documentLine.ts';

const FENCE = /^\s{0,3}(`{3,}(?!.*`)|~{3,})/;
const HEADING = /^(#{1,6})\s+(\S.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const TABLE = /^\s*\|.*\|\s*$/;
/** Longer lines are not parsed: no person writes them, and parsing would take long. */
const MOST_CHARACTERS = 2_000;

interface Where {
  pointer: string;
  depth: number;
  /** Headings of the text are headings of the page. */
  headings?: boolean;
}

/** The source lines of a Markdown text. None is joined or left out, so that a comment can name any of them. */
export function markdownLines(text: string, { pointer, depth, headings = false }: Where): DocumentLine[] {
  let fence: string | undefined;
  return text.split(/\r?\n/).map((source): DocumentLine => {
    const plain: DocumentLine = { pointer, text: source, as: 'text', depth };
    const marked = { isMarkdown: true } as const;
    if (source.length > MOST_CHARACTERS) return plain;
    const [, opens] = FENCE.exec(source) ?? [];
    if (fence !== undefined) {
      const trimmed = source.trim();
      if (trimmed.startsWith(fence) && !/[^`~]/.test(trimmed)) fence = undefined;
      return { ...plain, as: 'code' };
    }
    if (opens !== undefined) {
      fence = opens;
      return { ...plain, as: 'code' };
    }
    if (TABLE.test(source)) return { ...plain, as: 'code' };
    const [, , title] = headings ? (HEADING.exec(source) ?? []) : [];
    if (title !== undefined) return { ...plain, ...marked, text: title, as: 'heading' };
    const [, indent = '', mark, body = ''] = ITEM.exec(source) ?? [];
    if (mark === undefined) return { ...plain, ...marked };
    const nested = Math.min(4, Math.floor(indent.replaceAll('\t', '    ').length / 2));
    const sign = /^\d/.test(mark) ? mark : '•';
    return { pointer, text: body, as: 'item', depth: depth + nested, mark: sign, ...marked };
  });
}
