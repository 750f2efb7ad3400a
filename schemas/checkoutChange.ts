import { counted } from './counted.ts';

/** The changes in the person's checkout between two looks. */
export interface CheckoutChange {
  /** Files that changed, at most 200. A new directory counts as one and ends with a slash. */
  paths: string[];
  /** Another commit is checked out. */
  headMoved: boolean;
}

/** A change of the person's checkout while an agent worked. */
export interface RecordedCheckoutChange extends CheckoutChange {
  laneId: string;
  assignment: string;
  attempt: number;
  at: string;
}

const NAMED = 3;

/** Does not say who wrote: devflow cannot tell. */
export function checkoutChangeSentence({ laneId, assignment, paths, headMoved }: RecordedCheckoutChange): string {
  const rest = paths.length - NAMED;
  const files = `${paths.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${counted(rest, 'more file')}` : ''}`;
  const what = [...(headMoved ? ['another commit was checked out'] : []), ...(files === '' ? [] : [files])].join('; ');
  return `Your checkout changed while ${laneId === 'main' ? 'the agents' : laneId} worked on ${assignment}: ${what}.`;
}
