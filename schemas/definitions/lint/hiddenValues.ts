import type { Fault } from '../phase/kindDefinition.ts';
import { hiddenCharacters } from './hiddenText.ts';

/** Hidden characters that a file writes as escapes. Aliases may make a value contain itself. */
export function hiddenInValues(root: unknown): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<unknown>();
  const open: { value: unknown; path: (string | number)[] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') {
      const [hidden] = hiddenCharacters(value);
      if (hidden)
        faults.push({ path, code: 'hidden_text', message: `the value has the hidden character ${hidden.name}` });
    } else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      for (const [key, inner] of Object.entries(value)) {
        const at = [...path, Array.isArray(value) ? Number(key) : key];
        if (!Array.isArray(value) && hiddenCharacters(key).length > 0) open.push({ value: key, path: at });
        open.push({ value: inner, path: at });
      }
    }
  }
  return faults;
}
