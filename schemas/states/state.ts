/** The look of a state everywhere. The dashboard and the command line choose the colours. */
export type Look = 'quiet' | 'busy' | 'good' | 'ask' | 'bad';

/** A state as people read it. `--json` keeps the value of the enum. */
export interface State {
  /** One cell. It distinguishes states without colours. */
  readonly sign: string;
  readonly word: string;
  readonly look: Look;
  readonly means: string;
  /** The person's next step, and how; null for nothing. */
  readonly asks: string | null;
}

/** The state of a value. A value that only a newer daemon knows is shown by its own name. */
export function stateOf<S extends string>(states: Readonly<Record<S, State>>, value: S): State {
  return Object.hasOwn(states, value) ? states[value] : { ...UNKNOWN, word: value };
}

const UNKNOWN = { sign: '·', look: 'quiet', means: 'a state of a newer daemon', asks: null } as const;
