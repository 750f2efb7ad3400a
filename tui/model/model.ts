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

/** How the dashboard stands to its daemon. */
export type Link =
  | { readonly state: 'connecting' | 'up' }
  /** It was there and is gone; it is tried again by itself. */
  | { readonly state: 'away'; readonly since: number }
  /** There is none. `starting` while one is being started. */
  | { readonly state: 'none'; readonly starting: boolean; readonly why: string }
  | { readonly state: 'other version'; readonly theirs: string; readonly ours: string };

/** A run's events as far as they have come, oldest first. The array only grows: what lies past `count` is not yet so. */
export interface Log {
  readonly events: readonly EventView[];
  readonly count: number;
}

/** What an agent's pane showed, rendered. */
export interface Transcript {
  readonly lines: readonly Line[];
  readonly count: number;
  /** False until all that was there at first has come. */
  readonly complete: boolean;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
  readonly until: number;
  /** So many gates were asked since it came: they are told of as one. */
  readonly gates?: number;
}

export interface Place {
  readonly screen: ScreenId;
  /** Of the run, approval or session that it is about. */
  readonly id?: string;
}

/** All that decides what is seen. Nothing in here knows a terminal, a socket or a clock. */
export interface Model {
  readonly size: Size;
  /** Milliseconds since the epoch, of the last event. */
  readonly now: number;
  readonly version: string;
  readonly cwd: string;
  readonly link: Link;
  readonly place: Place;
  /** Where `back` leads, newest last. */
  readonly history: readonly Place[];
  readonly data: Data;
  readonly logs: ReadonlyMap<string, Log>;
  readonly transcripts: ReadonlyMap<string, Transcript>;
  /** Of each screen, by its id and what it is about; made by the screen itself. */
  readonly states: ReadonlyMap<string, unknown>;
  readonly overlay: Overlay | undefined;
  readonly toasts: readonly Toast[];
  readonly lastToast: number;
  /** Requests under way, by what is being done. */
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
