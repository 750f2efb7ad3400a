/** Throws a sentence that names the violation. */
export function hold(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
