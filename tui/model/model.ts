import { SCREENS } from '../../schemas/names.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { Line } from '../text/line.ts';
import type { Overlay } from './overlay.ts';
import type { Data } from './query.ts';

export { SCREENS };
export type ScreenId = (typeof SCREENS)[number];

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The connection to the daemon. */
export type Link =
  | { readonly state: 'connecting' | 'up' }
  /** The connection was lost; the dashboard reconnects. `why`: a sentence of the keeper of the daemon. */
  | { readonly state: 'away'; readonly since: number; readonly why?: string }
  /** No daemon answers. */
  | { readonly state: 'none'; readonly starting: boolean; readonly why: string }
  | { readonly state: 'other version'; readonly theirs: string; readonly ours: string };

/** The first `count` events of the array, oldest first. Later models share the array, which only grows. */
export interface Log {
  readonly events: readonly EventView[];
  readonly count: number;
}

/** The output of an agent's pane, rendered. */
export interface Transcript {
  readonly lines: readonly Line[];
  readonly count: number;
  /** False until the existing output is read. */
  readonly complete: boolean;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
  readonly until: number;
  /** How many new gates this toast announces. */
  readonly gates?: number;
}

export interface Place {
  readonly screen: ScreenId;
  /** The id of the run, approval or session it shows. */
  readonly id?: string;
}

/** Everything that decides what is on screen. It knows no terminal, socket or clock. */
export interface Model {
  readonly size: Size;
  /** The time of the last event, in milliseconds since the epoch. */
  readonly now: number;
  readonly version: string;
  readonly cwd: string;
  readonly link: Link;
  readonly place: Place;
  /** The places `back` returns to, newest last. */
  readonly history: readonly Place[];
  readonly data: Data;
  readonly logs: ReadonlyMap<string, Log>;
  readonly transcripts: ReadonlyMap<string, Transcript>;
  /** The state of each screen, by its name and place. See `screenState`. */
  readonly states: ReadonlyMap<string, unknown>;
  readonly overlay: Overlay | undefined;
  readonly toasts: readonly Toast[];
  readonly lastToast: number;
  /** The `doing` texts of the requests in flight. */
  readonly busy: readonly string[];
}

export function initialModel(given: Pick<Model, 'size' | 'now' | 'version' | 'cwd'> & { place: Place }): Model {
  return {
    ...given,
    link: { state: 'connecting' },
    history: [],
    data: new Map(),
    logs: new Map(),
    transcripts: new Map(),
    states: new Map(),
    overlay: undefined,
    toasts: [],
    lastToast: 0,
    busy: [],
  };
}
