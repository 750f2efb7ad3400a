import { type Document, visit } from 'yaml';

interface YamlFault {
  message: string;
  offset: number;
}

/** Sentences for a person about each fault of the parser, whose own words are for programs. */
const SENTENCES: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'the alias names no anchor before it',
  BAD_COLLECTION_TYPE: 'the tag does not fit the value',
  BAD_DQ_ESCAPE: 'in double quotes a backslash begins a character; double it, or use single quotes',
  BAD_INDENT: 'the indentation does not fit, or a bracket is not closed',
  BAD_SCALAR_START: 'a text cannot begin with this character; put it between quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a map or list cannot begin here; put a text with a colon between quotes',
  MISSING_CHAR: 'a colon, a quote or a closing bracket is missing',
  MULTILINE_IMPLICIT_KEY: 'a key stands on one line and ends with a colon',
  MULTIPLE_ANCHORS: 'a value has one anchor at most',
  MULTIPLE_DOCS: 'a second document begins here; a file has one',
  MULTIPLE_TAGS: 'a value has one tag at most',
  TAB_AS_INDENT: 'a tab indents this line; use spaces',
  UNEXPECTED_TOKEN: 'this cannot stand here',
};
/** The types of JSON. */
const PLAIN_TAG = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

/** The faults of a text, in order, at most one a line: later ones on a line are consequences. */
export function syntaxFaults(text: string, { errors }: Document): YamlFault[] {
  const byLine = new Map<number, YamlFault>();
  const found = errors.map(({ code, pos: [offset] }) => ({ code, offset })).sort((a, b) => a.offset - b.offset);
  for (const { code, offset } of found) {
    const begin = text.lastIndexOf('\n', offset - 1) + 1;
    const isTab = /^ *\t/.test(text.slice(begin, begin + 200));
    const message = SENTENCES[isTab ? 'TAB_AS_INDENT' : code] ?? 'the text cannot be read here';
    if (!byLine.has(begin)) byLine.set(begin, { message, offset });
  }
  return [...byLine.values()];
}

/** Tags ask a program to make something else of a value, such as a function. */
export function foreignTags(document: Document): YamlFault[] {
  const found: YamlFault[] = [];
  visit(document, {
    Node(_, { tag, range }) {
      if (tag !== undefined && !PLAIN_TAG.test(tag)) {
        const shown = tag.replace('tag:yaml.org,2002:', '!!').slice(0, 60);
        found.push({ message: `the tag ${shown} is not allowed; write a plain value`, offset: range?.[0] ?? 0 });
      }
    },
  });
  return found;
}
