import { ANY, type CharSet, complement, has, ONLY_SLASH, only } from './charSet.ts';
import { foldSet } from './foldCase.ts';
import type { Part } from './part.ts';

/** A step that takes one code unit. */
export interface Edge {
  on: CharSet;
  to: number;
}

/** A nondeterministic automaton that accepts paths, or their ends. It starts in state 0. */
export interface Automaton {
  edges: readonly (readonly Edge[])[];
  accepting: readonly boolean[];
}

/** The automaton of what matches the parts. With `ignoreCase` it reads folded text. */
export function buildAutomaton(parts: readonly Part[], ignoreCase: boolean): Automaton {
  const draft: Draft = { edges: [], free: [], ignoreCase };
  const end = parts.reduce((state, part) => add(draft, part, state), newState(draft));
  const closures = draft.free.map((next, state) => (next.length === 0 ? [state] : closure(draft, state)));
  return {
    edges: closures.map((states) => states.flatMap((state) => draft.edges[state] as Edge[])),
    accepting: closures.map((states) => states.includes(end)),
  };
}

/** The number of steps left before a search gives up. */
export interface Budget {
  steps: number;
}

/** The states that a text leads to. Means nothing if the budget is below zero afterwards. */
export function statesAfter({ edges }: Automaton, text: string, budget?: Budget): ReadonlySet<number> {
  let states = new Set([0]);
  for (let index = 0; index < text.length && states.size > 0; index += 1) {
    if (budget) budget.steps -= states.size;
    if (budget && budget.steps < 0) break;
    const unit = text.charCodeAt(index);
    const next = new Set<number>();
    for (const state of states) for (const { on, to } of edges[state] ?? []) if (has(on, unit)) next.add(to);
    states = next;
  }
  return states;
}

/** An automaton that grows. `free` has the steps that take nothing. */
interface Draft {
  edges: Edge[][];
  free: number[][];
  ignoreCase: boolean;
}

/** Adds a part behind a state, and returns the state behind the part. */
function add(draft: Draft, part: Part, from: number): number {
  switch (part.is) {
    case 'text':
      return addText(draft, from, part.text);
    case 'unit':
      return addStep(draft, from, folded(draft, part.set));
    case 'unitExcept':
      return addStep(draft, from, complement(folded(draft, part.set)));
    case 'run':
      return addRun(draft, from, part.set);
    case 'directories':
      return addFree(draft, from, addStep(draft, addRun(draft, from, ANY), ONLY_SLASH));
    case 'below':
      return addJoin(draft, [from, addRun(draft, addStep(draft, from, ONLY_SLASH), ANY)]);
    case 'oneOf':
      return addJoin(
        draft,
        part.options.map((option) => add(draft, option, from)),
      );
  }
}

function newState({ edges, free }: Draft): number {
  free.push([]);
  return edges.push([]) - 1;
}

function addStep(draft: Draft, from: number, on: CharSet): number {
  const to = newState(draft);
  draft.edges[from]?.push({ on, to });
  return to;
}

function addText(draft: Draft, from: number, text: string): number {
  let state = from;
  for (let index = 0; index < text.length; index += 1) {
    state = addStep(draft, state, folded(draft, only(text.charCodeAt(index))));
  }
  return state;
}

function addRun(draft: Draft, from: number, on: CharSet): number {
  const loop = newState(draft);
  draft.edges[loop]?.push({ on, to: loop });
  return addFree(draft, from, loop);
}

function addJoin(draft: Draft, ends: readonly number[]): number {
  const join = newState(draft);
  for (const end of ends) addFree(draft, end, join);
  return join;
}

function addFree({ free }: Draft, from: number, to: number): number {
  free[from]?.push(to);
  return to;
}

function folded({ ignoreCase }: Draft, set: CharSet): CharSet {
  return ignoreCase ? foldSet(set) : set;
}

/** The state, and all that it reaches without taking anything. */
function closure({ free }: Draft, state: number): number[] {
  const reached = new Set([state]);
  // The set grows while the loop walks it.
  for (const each of reached) for (const next of free[each] as number[]) reached.add(next);
  return [...reached];
}
