import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';

const typed = screenState('typed text', { text: '' });

/** What a person typed for a gate, until the daemon takes it: `c` begins with it, in a list and at the gate. */
export function typedText(model: Model, approvalId: string): string {
  return typed.get(atGate(model, approvalId)).text;
}

export function keepTyped(model: Model, approvalId: string, text: string): Model {
  const { states } = typed.set(atGate(model, approvalId), { text: text.trim() === '' ? '' : text });
  return { ...model, states };
}

/** One place for each gate, wherever it is decided. */
const atGate = (model: Model, id: string): Model => ({ ...model, place: { screen: 'approval', id } });
