/** The longest path that Linux takes, without its last NUL. */
const MOST_BYTES = 4095;

/** True if a text can be a path at all. With half of a character it would name another file than the caller means. */
export function canBePath(text: string): boolean {
  return text !== '' && text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) <= MOST_BYTES;
}
