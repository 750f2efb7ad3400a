import type { Behaviour } from '../../../../schemas/events/run.ts';
import type { Run } from './state.ts';

/** Every new run gets this number. */
export const NEWEST_BEHAVIOUR: Behaviour = 3;

/**
 * All differences between behaviours. A run keeps the number that it was created with, so recorded histories and older
 * open runs do not change.
 *
 * 1: version 1.
 * 2: a gate binds the commit and the tree under decision; prompts name read-only copies of the approved artifacts;
 *    `sessionBoundary` begins a new conversation.
 * 3: a failure stays with its assignment, several gates may be open, and the state of the run follows from what goes on.
 *    Attempts are counted for each assignment.
 */
export const bindsWorktree = ({ behaviour }: Run): boolean => behaviour >= 2;
export const copiesInputs = ({ behaviour }: Run): boolean => behaviour >= 2;
export const keepsSessionBoundary = ({ behaviour }: Run): boolean => behaviour >= 2;
export const keepsFailuresLocal = ({ behaviour }: Run): boolean => behaviour >= 3;
