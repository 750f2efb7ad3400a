import { parseDocument } from 'yaml';
import { isTooNested } from '../document/nesting.ts';

/** A longer text takes the parser too long. */
const LONGEST = 128 * 1024;

/** True if a YAML text has this key on its first level with the value `true`. False if it cannot be read. */
export function isFlagTrue(text: string, key: string): boolean {
  if (text.length > LONGEST || isTooNested(text)) return false;
  try {
    const document = parseDocument(text);
    return document.errors.length === 0 && document.get(key) === true;
  } catch {
    // Too many levels of nesting.
    return false;
  }
}
