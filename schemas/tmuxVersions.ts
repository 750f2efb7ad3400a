/** The tmux that devflow needs. `tmux/plugin/fit.sh` and the README say the same; a test compares them. */
export const TMUX_NEEDED = [3, 3] as const;
/** Older ones have faults in popups, in control mode, and when an agent's pane dies. */
export const TMUX_RECOMMENDED = [3, 5] as const;
