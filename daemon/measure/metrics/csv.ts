import { valueOfText, valueUnder } from './number.ts';
import { type MetricPlaces, type Parser, type Reading, Unreadable, type Value } from './reading.ts';

/** A header and rows, of which the last counts; or two columns: names and values. */
export const csvParser: Parser = {
  file: 'metrics.csv',
  read(bytes, names) {
    const { first, last, count } = rowsOf(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    const [header = [], ...rest] = first;
    if (!last || header.length === 0) throw new Unreadable('is empty');
    const isWhole = count === first.length;
    const isTwoColumns =
      isWhole && first.every(({ length }) => length === 2) && valueOfText(header[1] ?? '') !== undefined;
    if (isTwoColumns) return readingOf(pairsOf(first), names);
    if (count === 1) throw new Unreadable('has a header and no row');
    // In a table with two columns, the first is a number, or a date.
    const isNamed = isWhole && header.length === 2 && rest.every(([name = '']) => !/^[-+\d]/.test(name));
    return readingOf(isNamed ? pairsOf(rest) : header.map((name, column) => [name, last[column] ?? '']), names);
  },
};

function pairsOf(rows: readonly string[][]): [string, string][] {
  return rows.map(([name = '', value = '']) => [name, value]);
}

function readingOf(pairs: readonly [string, string][], names: MetricPlaces): Reading {
  const found = new Map(pairs);
  const named = Object.entries(names);
  const wanted = named.length > 0 ? named : pairs.map(([name]): [string, string] => [name, name]);
  const values = wanted.flatMap(([name, column]): [string, Value][] => {
    const text = found.get(column);
    if (text === undefined) return [[name, { absent: `there is no column or row ${column}` }]];
    const value = valueUnder(column, text);
    if (value !== undefined) return [[name, value]];
    return named.length > 0 ? [[name, { absent: 'is no number' }]] : [];
  });
  return { metrics: Object.fromEntries(values) };
}

/** Rows of names and values are not more. */
const MOST_KEPT = 10_000;
const LONGEST_ROW = 1_000_000;

interface Rows {
  /** At most `MOST_KEPT`. */
  first: string[][];
  last: string[] | undefined;
  count: number;
}

/** Only the rows that can count are split into fields, so that a long file is quickly read. Empty rows are left out. */
function rowsOf(text: string): Rows {
  const first: string[][] = [];
  let count = 0;
  let last: [from: number, to: number] | undefined;
  for (let from = 0; from < text.length; ) {
    const { to, isEmpty } = endOfRow(text, from);
    if (!isEmpty) {
      count += 1;
      last = [from, to];
      if (count <= MOST_KEPT) first.push(fieldsOf(text.slice(from, to)));
    }
    from = to + 1;
  }
  return { first, last: last && fieldsOf(text.slice(...last)), count };
}

const [LF, CR, QUOTE, COMMA, BLANK] = [...'\n\r", '].map((each) => each.charCodeAt(0));

/** A quoted field may have line breaks and doubled quotes. A quote inside of another field is a character. */
function endOfRow(text: string, from: number): { to: number; isEmpty: boolean } {
  let isEmpty = true;
  let isStart = true;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF || code === CR) return { to: at, isEmpty };
    if (code === QUOTE && isStart) at = endOfQuoted(text, at);
    if (code !== COMMA && code !== BLANK) isEmpty = false;
    isStart = code === COMMA;
  }
  return { to: text.length, isEmpty };
}

/** The place of the quote that ends a field. */
function endOfQuoted(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  if (at < 0) throw new Unreadable('has a quote that does not end');
  return at;
}

function fieldsOf(row: string): string[] {
  if (row.length > LONGEST_ROW) throw new Unreadable(`has a row of more than ${LONGEST_ROW} characters`);
  const fields: string[] = [];
  for (let at = 0; at <= row.length; ) {
    const isQuoted = row[at] === '"';
    const after = isQuoted ? endOfQuoted(row, at) + 1 : at;
    const comma = row.indexOf(',', after);
    const end = comma < 0 ? row.length : comma;
    fields.push((isQuoted ? row.slice(at + 1, after - 1).replaceAll('""', '"') : row.slice(at, end)).trim());
    at = end + 1;
  }
  return fields;
}
