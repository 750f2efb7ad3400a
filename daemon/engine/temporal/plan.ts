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
  /**
   * The life of the host's daemon that made this view. The first view of a new one always counts. It has just read the
   * log, which may be a restored backup. Nothing that an earlier one began goes on any more. The numbers need not
   * increase. A database that failed over may have lost the newest lease, and its clock may be slower.
   */
  life?: number;
  /** The database's time when it was made, as an ISO time. Absent in views of older versions, which the older rules judge. */
  at?: string;
}

/** The activity or timer of an effect: it performs the effect, waits, or reports the outcome. */
export interface Flight {
  id: number;
  key: string;
  kind: 'perform' | 'timer' | 'expire' | 'silent';
  /** The run's seq when it began. Absent in flights of older versions. */
  seq?: number;
}

/** Plain data, so that a new execution of the workflow can continue from it. */
export interface PlanState {
  view: View | null;
  flights: Flight[];
  /** Effects that came to nothing. They begin again once the run moves. */
  over: string[];
  nextId: number;
  /** The lives of the host's earlier daemons, the newest last. */
  former?: number[];
  /** The lead of the database's clock over the workflow's, in ms. */
  ahead?: number;
}

export type Command =
  | { do: 'perform'; id: number; type: string; key: string; seq: number; queue: string }
  | { do: 'timer'; id: number; key: string; ms: number }
  | { do: 'expire'; id: number; key: string }
  | { do: 'silent'; id: number; key: string; queue: string }
  | { do: 'cancel'; id: number };

/** The end of a flight. `silent`: no worker took the work in time. `failed`: it cannot succeed. */
export type Ending = { view: View } | { cause: 'fired' | 'silent' | 'failed' };

export interface Planned {
  state: PlanState;
  commands: Command[];
}

export const BEGINNING: PlanState = { view: null, flights: [], over: [], nextId: 1 };

/** True if the run has ended and needs nothing more. */
export function isComplete({ view, flights }: PlanState): boolean {
  return view?.ended === true && flights.length === 0;
}

/** The beginning of a new execution, which has nothing going on. */
export function resumed(state: PlanState, now: number): Planned {
  return begun({ ...state, flights: [] }, now, []);
}

/** The view of a run that the log lacks, because an older database was restored. It ends the workflow. */
export const UNKNOWN_RUN: View = { seq: 0, ended: true, queue: '', wanted: [] };
const isUnknown = ({ seq, ended }: View) => seq === UNKNOWN_RUN.seq && ended;

/** A view arrived. Pure, like all of this file: the recorded histories of workflows are replayed against it. */
export function moved(state: PlanState, view: View, now: number): Planned {
  const known = state.view;
  if (isUnknown(view)) return taken(state, view, now);
  if (isOfFormerDaemon(state, view)) return { state, commands: [] };
  if (known && view.seq < known.seq && !mayGoBack(state, view)) return { state, commands: [] };
  return taken(state, view, now);
}

/** The lives that are remembered: more than there can be daemons with messages under way. */
const MOST_FORMER = 16;

const isOfFormerDaemon = ({ former = [] }: PlanState, { life, at }: View) =>
  at !== undefined && life !== undefined && former.includes(life);

/** The life is another one than before. Only greater ones count in views of older versions. */
function isOfNewDaemon(state: PlanState, view: View): boolean {
  const known = state.view?.life;
  if (view.life === undefined || known === undefined) return false;
  return view.at === undefined ? view.life > known : view.life !== known && !isOfFormerDaemon(state, view);
}

/**
 * True if this view counts though a newer state of the run is known. Older versions ignored it: their histories go on
 * so.
 */
const mayGoBack = (state: PlanState, view: View) => view.at !== undefined && isOfNewDaemon(state, view);

function lifeAfter(known: number | undefined, { life, at }: View): number | undefined {
  return at === undefined && life !== undefined && known !== undefined ? Math.max(known, life) : (life ?? known);
}

/** Goes on from this view, also if it is older: the log outranks what is remembered here. */
function taken(state: PlanState, view: View, now: number): Planned {
  const known = state.view;
  const life = lifeAfter(known?.life, view);
  const isNewLife = isOfNewDaemon(state, view);
  const former = isNewLife ? [...(state.former ?? []), known?.life ?? 0].slice(-MOST_FORMER) : state.former;
  const hasMoved = view.seq !== known?.seq || isNewLife;
  const next = { ...view, ...(life === undefined ? {} : { life }) };
  const ahead = view.at === undefined ? state.ahead : Date.parse(view.at) - now;
  const isWanted = new Set(view.wanted.map(({ key }) => key));
  const stays = ({ key, kind }: Flight) =>
    isWanted.has(key) && (kind === 'timer' ? isSameTime(ahead, state.ahead) : !isNewLife);
  const commands = state.flights.filter((flight) => !stays(flight)).map(({ id }): Command => ({ do: 'cancel', id }));
  const flights = state.flights.filter(stays);
  const more = { ...(ahead === undefined ? {} : { ahead }), ...(former === undefined ? {} : { former }) };
  return begun({ ...state, view: next, flights, over: hasMoved ? [] : state.over, ...more }, now, commands);
}

/** A clock that was set, or was wrongly known: timers begin again, so that they end in time. */
const MOST_OFF_MS = 1_000;
const isSameTime = (ahead?: number, before?: number) =>
  ahead === before || (before !== undefined && ahead !== undefined && Math.abs(ahead - before) < MOST_OFF_MS);

/** A flight ended by itself. A cancelled flight is already forgotten. */
export function landed(state: PlanState, flightId: number, ending: Ending, now: number): Planned {
  const flight = state.flights.find((each) => each.id === flightId);
  if (!flight) return 'view' in ending ? moved(state, ending.view, now) : { state, commands: [] };
  const rest = { ...state, flights: state.flights.filter((each) => each !== flight) };
  const { key } = flight;
  if ('view' in ending) return broughtView(rest, flight, ending.view, now);
  if (ending.cause === 'failed') return begun({ ...rest, over: [...rest.over, key] }, now, []);
  const id = rest.nextId;
  const kind = ending.cause === 'fired' ? 'expire' : 'silent';
  const { seq = -1 } = state.view ?? {};
  return {
    state: { ...rest, nextId: id + 1, flights: [...rest.flights, { id, key, kind, seq }] },
    commands: [kind === 'expire' ? { do: kind, id, key } : { do: kind, id, key, queue: state.view?.queue ?? '' }],
  };
}

function broughtView(rest: PlanState, { key, kind, seq: from }: Flight, view: View, now: number): Planned {
  const known = rest.view;
  const ahead = view.seq - (known?.seq ?? 0);
  if (isUnknown(view)) return taken(rest, view, now);
  // It read the log after it had begun, and found less than was known by then: the log went back. Older versions did not read.
  const hasRead = view.at !== undefined && from !== undefined;
  if (known && hasRead && view.seq < from && from <= known.seq) return taken(rest, view, now);
  // An effect that came to nothing in an older state may have a result in this one.
  if (ahead < 0 && !mayGoBack(rest, view)) return begun(rest, now, []);
  const isStillDue = (kind === 'expire' && isEarly(view, key)) || (kind === 'silent' && view.at !== undefined);
  const isOver = ahead === 0 && !isStillDue;
  return moved(isOver ? { ...rest, over: [...rest.over, key] } : rest, view, now);
}

/** The workflow's clock was ahead of the database's, which says when a time-out has passed. */
function isEarly({ at, wanted }: View, key: string): boolean {
  const { until } = wanted.find((each) => each.key === key) ?? {};
  return until !== undefined && at !== undefined && Date.parse(until) > Date.parse(at);
}

/** Begins what is wanted, not going on and not over. */
function begun(state: PlanState, now: number, commands: Command[]): Planned {
  const { view } = state;
  if (!view) return { state, commands };
  const flights = [...state.flights];
  const all = [...commands];
  let id = state.nextId;
  for (const { key, type, until } of view.wanted) {
    if (state.over.includes(key) || flights.some((flight) => flight.key === key)) continue;
    if (until === undefined) all.push({ do: 'perform', id, type, key, seq: view.seq, queue: view.queue });
    else all.push({ do: 'timer', id, key, ms: Math.max(1, Date.parse(until) - now - (state.ahead ?? 0)) });
    flights.push({ id, key, kind: until === undefined ? 'perform' : 'timer', seq: view.seq });
    id += 1;
  }
  return { state: { ...state, flights, nextId: id }, commands: all };
}
