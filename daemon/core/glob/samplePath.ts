import { has } from './charSet.ts';
import type { Part } from './part.ts';

/** A private-use character, which no project has in a name. */
const NOBODY = '\ue000';

/** A path that the parts match. Each wildcard stands for as little as it can, or for a name that nobody uses. */
export function samplePath(parts: readonly Part[]): string {
  return parts.map(sampleOf).join('');
}

function sampleOf(part: Part): string {
  switch (part.is) {
    case 'text':
      return part.text;
    case 'unit': {
      const [first] = part.set;
      return first && !has(part.set, NOBODY.charCodeAt(0)) ? String.fromCharCode(first[0]) : NOBODY;
    }
    case 'unitExcept':
    case 'run':
      return NOBODY;
    case 'directories':
    case 'below':
      return '';
    case 'oneOf':
      return samplePath(part.options.slice(0, 1));
  }
}
