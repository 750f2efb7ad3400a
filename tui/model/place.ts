import type { Model, Place } from './model.ts';

const MAX_HISTORY = 50;

/** Shows another place. `back` returns to this one. */
export function goTo(model: Model, place: Place): Model {
  const { place: here } = model;
  if (here.screen === place.screen && here.id === place.id) return model;
  return { ...model, place, history: [...model.history, here].slice(-MAX_HISTORY), overlay: undefined };
}

/** Shows the previous place, if there is one. */
export function goBack(model: Model): Model {
  const before = model.history.at(-1);
  return before === undefined ? model : { ...model, place: before, history: model.history.slice(0, -1) };
}

/** True if the person has neither left the place nor begun something else there. */
export function isStillAt({ place, overlay }: Model, { screen, id }: Place): boolean {
  return place.screen === screen && place.id === id && !overlay;
}

/** The state of one screen, separate for each run, approval or session that it shows. */
export interface ScreenState<S> {
  get(model: Model): S;
  set(model: Model, change: Partial<S>): Model;
}

export function screenState<S extends object>(name: string, initial: S, of = (place: Place) => place.id ?? '') {
  const key = (model: Model) => `${name} ${of(model.place)}`;
  const get = (model: Model): S => (model.states.get(key(model)) as S | undefined) ?? initial;
  const state: ScreenState<S> = {
    get,
    set(model, change) {
      const states = new Map(model.states).set(key(model), { ...get(model), ...change });
      return { ...model, states };
    },
  };
  return state;
}
