import { localTime } from '../time/localTime.ts';

/** After the counts, while Temporal does not answer. As a keeper says it of the database. */
export const serverAwayStatus = (since: string) => `waits for Temporal since ${localTime(since).slice(11, 16)}`;

/** One part of the status line: a sign and how many open runs it counts. */
interface Part {
  readonly sign: string;
  /** For a tmux that shows no UTF-8. */
  readonly ascii: string;
  readonly word: string;
  readonly means: string;
  readonly asks: string | null;
}

/** Each open run counts once, under the last of these that applies. Every sign is one cell wide in every font. */
export const STATUS_LINE = {
  running: { sign: '▸', ascii: '>', word: 'running', means: 'runs that need nothing from you', asks: null },
  approvals: {
    sign: '?',
    ascii: '?',
    word: 'decision',
    means: 'runs at a gate',
    asks: 'Decide: `prefix A`.',
  },
  trouble: {
    sign: '!',
    ascii: '!',
    word: 'needs you',
    means: 'runs that devflow cannot continue alone, or with an agent that waits for a person',
    asks: 'Go to the agent: `prefix J`; a recovery gate is in `prefix A`.',
  },
} as const satisfies Record<string, Part>;
