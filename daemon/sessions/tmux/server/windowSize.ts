/** The size of an agent's window that no terminal shows. */
export const SIZE = { columns: 160, rows: 45 };

/** The smallest size of an agent's window: a terminal of 60x15 cells without tmux's status line. */
export const LEAST_SIZE = { columns: 60, rows: 14 };
