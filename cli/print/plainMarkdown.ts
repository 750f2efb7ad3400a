/** A code span, an escaped sign, or a digit as an entity. */
const INLINE = /(`+)(?!`).*?(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])|&#(4[89]|5[0-7]);/g;

/**
 * devflow's own Markdown for a terminal, which renders none: without the escapes of untrusted text (`daemon/report/markdownText.ts`).
 * Code stays as it is.
 */
export function plainMarkdown(markdown: string): string {
  let fence: string | undefined;
  const plain = (line: string): string => {
    const [, opened] = /^(`{3,})[^`]*$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      return line;
    }
    if (opened !== undefined) {
      fence = opened;
      return line;
    }
    return line.replace(INLINE, (whole, ticks?: string, sign?: string, digit?: string) => {
      if (ticks !== undefined) return whole;
      return sign ?? String.fromCharCode(Number(digit));
    });
  };
  return markdown.split('\n').map(plain).join('\n');
}
