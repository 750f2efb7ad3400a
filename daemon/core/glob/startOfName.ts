import { has } from './charSet.ts';
import type { Part } from './part.ts';

const SLASH = '/'.charCodeAt(0);

/** The text that the last segment of each matching path begins with; '' if there is no such text. */
export function startOfName(parts: readonly Part[]): string {
  const at = parts.findLastIndex(mayHaveSlash);
  const part = parts[at];
  if (part?.is === 'text') return part.text.slice(part.text.lastIndexOf('/') + 1);
  const first = part === undefined || part.is === 'directories' ? parts[at + 1] : undefined;
  return first?.is === 'text' ? first.text : '';
}

function mayHaveSlash(part: Part): boolean {
  switch (part.is) {
    case 'text':
      return part.text.includes('/');
    case 'unit':
    case 'run':
      return has(part.set, SLASH);
    case 'unitExcept':
      return !has(part.set, SLASH);
    case 'directories':
    case 'below':
      return true;
    case 'oneOf':
      return part.options.some(mayHaveSlash);
  }
}
