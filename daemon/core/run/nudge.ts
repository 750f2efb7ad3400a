/** Whether an agent took a prompt. Valid only for that agent: `recoveryAttempts` of the session tells. */
export interface Settled {
  taken: boolean;
  recoveryAttempts: number;
  /** Counts such answers in the run; part of the key of the effect. */
  nth: number;
}

/** What a short prompt says. */
export interface Nudge {
  bringsAnswer: boolean;
  /** ISO time by which the artifact is due. */
  dueBy: string;
}
