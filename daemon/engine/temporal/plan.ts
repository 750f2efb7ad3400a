/** An effect that must be going on. */
export interface Wanted {
  key: string;
  type: string;
  /** For a time-out: when it expires, as an ISO time. Nobody performs it before. */
  until?: string;
}

/** A run, as far as Temporal knows it. */
export interface View {
  seq: number;
  ended: boolean;
  /** The task queue of the host that has the run. */
  queue: string;
  wanted: Wanted[];
  /** The life of the host's daemon that made this view. A newer one has no effect going on any more. */
  life?: number;
}

/** What is going on for an effect: an activity that performs it, a timer, or an activity that says what came of it. */
export interface Flight {
  id: number;
  key: string;
  kind: 'perform' | 'timer' | 'expire' | 'silent';
}

/** Plain data, so that a new execution of the workflow can continue from it. */
export interface PlanState {
  view: View | null;
  flights: Flight[];
  /** Effects that came to nothing. They begin again once the run moves. */
  over: string[];
  nextId: number;
}

export type Command =
  | { do: 'perform'; id: number; type: string; key: string; seq: number; queue: string }
  | { do: 'timer'; id: number; key: string; ms: number }
  | { do: 'expire'; id: number; key: string }
  | { do: 'silent'; id: number; key: string; queue: string }
  | { do: 'cancel'; id: number };

/** How a flight ended. `silent`: no worker took the work in time. `failed`: it cannot succeed. */
export type Ending = { view: View } | { cause: 'fired' | 'silent' | 'failed' };

export interface Step {
  state: PlanState;
  commands: Command[];
}

export const BEGINNING: PlanState = { view: null, flights: [], over: [], nextId: 1 };

/** True if the run has ended and needs nothing more. */
export function isComplete({ view, flights }: PlanState): boolean {
  return view?.ended === true && flights.length === 0;
}

/** What must begin in a new execution, which has nothing going on. */
export function resumed(state: PlanState, now: number): Step {
  return begun({ ...state, flights: [] }, now, []);
}

/** A view arrived. Pure, like all of this file: the recorded histories of workflows are replayed against it. */
export function moved(state: PlanState, view: View, now: number): Step {
  const known = state.view;
  if (known && view.seq < known.seq) return { state, commands: [] };
  const life = Math.max(known?.life ?? 0, view.life ?? 0);
  const isNewLife = known?.life !== undefined && life > known.life;
  const hasMoved = view.seq > (known?.seq ?? -1) || isNewLife;
  const next = { ...view, ...(life > 0 ? { life } : {}) };
  const isWanted = new Set(view.wanted.map(({ key }) => key));
  const stays = ({ key, kind }: Flight) => isWanted.has(key) && (!isNewLife || kind === 'timer');
  const commands = state.flights.filter((flight) => !stays(flight)).map(({ id }): Command => ({ do: 'cancel', id }));
  return begun(
    { ...state, view: next, flights: state.flights.filter(stays), over: hasMoved ? [] : state.over },
    now,
    commands,
  );
}

/** A flight ended by itself. One that was cancelled is unknown by then. */
export function landed(state: PlanState, flightId: number, ending: Ending, now: number): Step {
  const flight = state.flights.find((each) => each.id === flightId);
  if (!flight) return 'view' in ending ? moved(state, ending.view, now) : { state, commands: [] };
  const rest = { ...state, flights: state.flights.filter((each) => each !== flight) };
  const { key } = flight;
  if ('view' in ending) {
    const ahead = ending.view.seq - (state.view?.seq ?? 0);
    // What came to nothing in an older state of the run may have a result in this one.
    if (ahead < 0) return begun(rest, now, []);
    return moved(ahead === 0 ? { ...rest, over: [...rest.over, key] } : rest, ending.view, now);
  }
  if (ending.cause === 'failed') return begun({ ...rest, over: [...rest.over, key] }, now, []);
  const id = rest.nextId;
  const kind = ending.cause === 'fired' ? 'expire' : 'silent';
  return {
    state: { ...rest, nextId: id + 1, flights: [...rest.flights, { id, key, kind }] },
    commands: [kind === 'expire' ? { do: kind, id, key } : { do: kind, id, key, queue: state.view?.queue ?? '' }],
  };
}

/** Begins what is wanted, not going on and not over. */
function begun(state: PlanState, now: number, commands: Command[]): Step {
  const { view } = state;
  if (!view) return { state, commands };
  const flights = [...state.flights];
  const all = [...commands];
  let id = state.nextId;
  for (const { key, type, until } of view.wanted) {
    if (state.over.includes(key) || flights.some((flight) => flight.key === key)) continue;
    if (until === undefined) all.push({ do: 'perform', id, type, key, seq: view.seq, queue: view.queue });
    else all.push({ do: 'timer', id, key, ms: Math.max(1, Date.parse(until) - now) });
    flights.push({ id, key, kind: until === undefined ? 'perform' : 'timer' });
    id += 1;
  }
  return { state: { ...state, flights, nextId: id }, commands: all };
}
