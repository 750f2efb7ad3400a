/** The longest path that Linux takes, without its last NUL. */
const MOST_BYTES = 4095;
export const NO_PATH = 'is no path: leave out NUL and halves of characters, and give fewer than 4096 bytes';

/** True if a text can be a path at all. With half of a character it would name another file than the caller means. */
export function canBePath(text: string): boolean {
  return text !== '' && text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) <= MOST_BYTES;
}
