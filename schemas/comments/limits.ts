/** The most characters of one comment, as clients and the daemon keep it. Apart from the schema, because clients load no zod. */
export const COMMENT_LIMITS = { text: 4000, quote: 2000, path: 4096, pointer: 1000 } as const;

/** The fault of a text that is too long for a comment. */
export function tooLong({ length }: string): string {
  return `the text has ${length} characters; a comment takes at most ${COMMENT_LIMITS.text}.`;
}
