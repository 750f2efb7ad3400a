import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';

interface RowGate {
  readonly id?: string | undefined;
  /** When it became the gate of the selected row. */
  readonly since: number;
}

const state = screenState<RowGate>('row gate', { since: 0 }, ({ screen }) => screen);

/** Remembers since when a list shows this gate as that of its selected row. */
export function noticeRowGate(before: Model, model: Model, id: string | undefined): Model {
  const isSame = state.get(model).id === id && before.place.screen === model.place.screen;
  return isSame ? model : state.set(model, { id, since: model.now });
}

/** Since when the selected row shows the gate. Another gate than that of the row is new. */
export function shownSince(model: Model, id: string): number {
  const shown = state.get(model);
  return shown.id === id ? shown.since : model.now;
}
