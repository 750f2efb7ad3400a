import type { Model, Place } from './model.ts';

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
