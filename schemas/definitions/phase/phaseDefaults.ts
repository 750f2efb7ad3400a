/** The defaults of a template. Without zod, because the dashboard shows them. */

/** The most lanes that work at the same time, and that are tested together. */
export const DEFAULT_LANES = 4;
export const DEFAULT_BATCH = 3;

/** The lowest severity that keeps a change from passing, and how many rounds there are. */
export const DEFAULT_BAR = 'medium' as const;
export const DEFAULT_ROUNDS = 4;
