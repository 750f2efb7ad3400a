import { Lexer } from 'yaml';

/** Eight times the largest built-in file. */
const MOST_BYTES = 256 * 1024;
/** Twelve times those of the largest built-in file. The parser takes about a tenth of a second for so many. */
const MOST_TOKENS = 16_000;

/** Why a YAML text is too large to parse, as a sentence without its end; undefined if it is not. */
export function textTooLarge(text: string): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) return `the text has ${bytes} bytes, more than ${MOST_BYTES}`;
  const tokens = new Lexer().lex(text);
  for (let count = 0; count <= MOST_TOKENS; count += 1) if (tokens.next().done) return undefined;
  return `the text has more than ${MOST_TOKENS} words, marks and line ends`;
}
