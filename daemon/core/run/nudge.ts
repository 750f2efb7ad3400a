/** The fate of a prompt with an agent. Valid only for that agent: `recoveryAttempts` of the session tells. */
export interface Settled {
  taken: boolean;
  recoveryAttempts: number;
  /** Counts such answers in the run; part of the key of the effect. */
  nth: number;
}

/** The content of a short prompt. */
export interface Nudge {
  bringsAnswer: boolean;
  /** ISO time by which the artifact is due. */
  dueBy: string;
}
