import { type Budget, type Edge, statesAfter } from './automaton.ts';
import { SHARES_DOT, SHARES_OTHER, SHARES_SLASH, sharedUnits } from './charSet.ts';
import type { CompiledPattern } from './compileGlob.ts';

/** Beyond it even the memory for the walk is too much. */
const MOST_STATES = 4_000_000;

/**
 * State of the last segment of the path so far: a number of dots, or a name. No segment of a path is empty, `.` or
 * `..`, so `.?` and `?.` share no path.
 */
const NO_DOT = 0;
const NAME = 3;
const SEGMENTS = 4;

/** True if both match one and the same path. */
export function patternsIntersect(a: CompiledPattern, b: CompiledPattern, budget: Budget): Answer {
  if (areSurelyApart(a, b)) return 'no';
  const both = a.prefix.length > b.prefix.length ? walk(b, a, budget) : walk(a, b, budget);
  return both === 'yes' && !(a.exact && b.exact) ? 'unknown' : both;
}

/** A cheap test that settles most pairs: true only if they share no path. False says nothing. */
export function areSurelyApart(a: CompiledPattern, b: CompiledPattern): boolean {
  return (
    !(a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix)) ||
    !(a.namePrefix.startsWith(b.namePrefix) || b.namePrefix.startsWith(a.namePrefix)) ||
    !(a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)) ||
    isFarFetched(a, b) ||
    isFarFetched(b, a)
  );
}

/** Only `src/index.ts/x` makes `src/index.ts` a directory. `src/**` and a wildcard do not. */
function isFarFetched(a: CompiledPattern, b: CompiledPattern): boolean {
  return a.inFile && !b.prefix.startsWith(`${a.prefix}/`);
}

/** Walks through both at once, from where the longer prefix ends: b's. */
function walk(shorter: CompiledPattern, longer: CompiledPattern, budget: Budget): Answer {
  const a = shorter.rest();
  const b = longer.rest();
  const width = b.edges.length * SEGMENTS;
  if (a.edges.length * width > MOST_STATES) return 'unknown';
  const start = segmentOf(longer.prefix);
  if (start === undefined) return 'no';
  const seen = new Uint8Array(a.edges.length * width);
  const open: number[] = [];
  const visit = (state: number) => {
    if (seen[state] === 0) open.push(state);
    seen[state] = 1;
  };
  for (const inA of statesAfter(a, longer.prefix.slice(shorter.prefix.length), budget)) visit(inA * width + start);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const inA = Math.floor(state / width);
    const inB = Math.floor(state / SEGMENTS) % b.edges.length;
    const segment = state % SEGMENTS;
    if (segment === NAME && a.accepting[inA] && b.accepting[inB]) return 'yes';
    for (const one of a.edges[inA] as Edge[]) {
      for (const other of b.edges[inB] as Edge[]) {
        budget.steps -= 1;
        const shared = sharedUnits(one.on, other.on);
        if (shared === 0) continue;
        const to = one.to * width + other.to * SEGMENTS;
        if (shared & SHARES_OTHER) visit(to + NAME);
        if (shared & SHARES_DOT) visit(to + Math.min(segment + 1, NAME));
        if (shared & SHARES_SLASH && segment === NAME) visit(to + NO_DOT);
      }
    }
    if (budget.steps < 0) break;
  }
  return budget.steps < 0 ? 'unknown' : 'no';
}

/** State of the last segment of a text. Undefined if no path begins with the text. */
function segmentOf(text: string): number | undefined {
  const segments = text.split('/');
  const last = segments.pop() as string;
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) return undefined;
  return /^\.{0,2}$/.test(last) ? last.length : NAME;
}

/** `unknown`: the question is about a pattern that this code cannot read, or it costs too much. */
export type Answer = 'yes' | 'no' | 'unknown';
