import { type Context, createContext, Script } from 'node:vm';
import type { FindMatch } from '../../schemas/contracts/handover/drift.ts';

/** A pattern of an agent may take forever. */
const LIMIT_MS = 200;
/** All patterns of one call together: the daemon answers nobody else meanwhile. */
const TOTAL_MS = 1_000;
const MOST_CHARACTERS = 1_000;

const SCRIPT = new Script(`
  (() => {
    const compiled = new RegExp(pattern);
    return texts.findIndex((text) => compiled.test(text));
  })();
`);

/**
 * Matches patterns that agents wrote on the beginning of each text. A pattern that takes too long, and all further ones once all
 * together took too long, are `unchecked`.
 */
export function createMatcher(): FindMatch {
  let left = TOTAL_MS;
  let context: Context | undefined;
  return (pattern, texts, from) => {
    const timeout = Math.min(LIMIT_MS, Math.floor(left));
    if (timeout < 1) return 'unchecked';
    const begun = performance.now();
    try {
      context ??= createContext({});
      const short = texts.slice(from).map((text) => text.slice(0, MOST_CHARACTERS));
      Object.assign(context, { pattern, texts: short });
      const found = SCRIPT.runInContext(context, { timeout }) as number;
      return found < 0 ? -1 : from + found;
    } catch {
      // It took too long, or it is no pattern.
      return 'unchecked';
    } finally {
      left -= performance.now() - begun;
    }
  };
}
