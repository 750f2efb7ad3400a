import type { Behaviour } from '../../../schemas/events/run.ts';
import type { Run } from './state.ts';

/** Given to each new run. */
export const NEWEST_BEHAVIOUR: Behaviour = 2;

/**
 * What a numbered behaviour changes, in one place. A run keeps the number it was created with: recorded histories and
 * open runs of older versions go on as they were recorded.
 *
 * 1: version 1.
 * 2: a gate binds the commit and the tree under decision; prompts name read-only copies of the approved artifacts;
 *    `sessionBoundary` begins a new conversation.
 */
export const bindsWorktree = ({ behaviour }: Run): boolean => behaviour >= 2;
export const copiesInputs = ({ behaviour }: Run): boolean => behaviour >= 2;
export const keepsSessionBoundary = ({ behaviour }: Run): boolean => behaviour >= 2;
