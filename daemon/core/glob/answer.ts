/** `unknown`: the question is about a pattern that this code cannot read, or it costs too much. */
export type Answer = 'yes' | 'no' | 'unknown';
