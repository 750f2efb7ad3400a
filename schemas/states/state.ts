/** How a state looks wherever it is shown; the dashboard and the command line choose the colours. */
export type Look = 'quiet' | 'busy' | 'good' | 'ask' | 'bad';

/** A state as people read it. `--json` keeps the value of the enum. */
export interface State {
  /** One cell, so that nothing is lost without colours. */
  readonly sign: string;
  readonly word: string;
  readonly look: Look;
  readonly means: string;
  /** What it asks of the person, and how they do it; null for nothing. */
  readonly asks: string | null;
}

/** A state of a value, also of one that only a newer daemon knows: that is told by its own name. */
export function stateOf<S extends string>(states: Readonly<Record<S, State>>, value: S): State {
  return Object.hasOwn(states, value) ? states[value] : { ...UNKNOWN, word: value };
}

const UNKNOWN = { sign: '·', look: 'quiet', means: 'a state of a newer daemon', asks: null } as const;
