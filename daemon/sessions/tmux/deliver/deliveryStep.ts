import { type AgentState, ENDED_BY_OTHERS } from '../profile/evidence.ts';
import type { LedgerLine } from './ledger.ts';

/** What is known about one prompt and its agent at one moment. */
export interface DeliveryFacts {
  /** The state in the record's last line. */
  recorded: LedgerLine['state'] | undefined;
  /** The pane's mark names this prompt: its text was pasted into the program that runs in this pane. */
  marked: boolean;
  /** The proof that the agent took the prompt. */
  proof: string | undefined;
  state: AgentState;
  /** Why a busy agent counts as hung. */
  hung: string | undefined;
  /** Undefined if no composer is visible. */
  composer: string | undefined;
  /** The composer holds a failed prompt of devflow. */
  leftOver: boolean;
  /** This process saw the paste in the composer, and the pane was silent after it. */
  isShown: boolean;
  bracketedPaste: boolean;
  /** Milliseconds since the agent is READY and the pane is silent. */
  stillMs: number;
  /** Milliseconds since it was first ready after its start. */
  readyMs: number;
  /** Milliseconds since the paste was recorded. */
  sincePasteMs: number;
  /** Milliseconds since the keys that clear the composer were last pressed. */
  sinceClearMs: number;
  timings: { stableMs: number; settleStartMs: number; pasteMs: number; pasteCapMs: number; clearAgainMs: number };
}

export type DeliveryStep =
  | { do: 'done'; by: string }
  | { do: 'paste' | 'enter' | 'clear' }
  /** A paste was recorded, but neither it nor the prompt is visible; the composer is empty. */
  | { do: 'ask the conversation' }
  | Waiting
  | { do: 'fail'; reason: string };

export interface Waiting {
  do: 'wait';
  for: string;
  againMs?: number;
  /** Only the screen can say more. */
  needs?: 'screen';
  /** A person or the clock must act first: no time-out runs. */
  unlimited?: boolean;
  /** A person's unsent text is in the way. */
  draft?: boolean;
}

/**
 * States in which an idle agent accepts typed text. A failed turn is over; whether the next one fails shows afterwards.
 */
const IDLE: readonly AgentState[] = ['READY', 'ERROR', 'LOGIN'];

/**
 * The next step for a prompt. It is the same for the process that delivers it and for one that continues the delivery
 * after a kill. It pastes the text only if an earlier paste is impossible or known to be lost. Pure.
 */
export function decideDelivery(facts: DeliveryFacts): DeliveryStep {
  const { recorded, marked, proof, state, composer, timings } = facts;
  if (proof !== undefined) return { do: 'done', by: proof };
  if (state === 'DEAD') return { do: 'fail', reason: 'the agent has ended' };
  const unlimited = ENDED_BY_OTHERS.includes(state) ? { unlimited: true } : {};
  // Waiting would not help; the recovery that follows restarts the agent.
  if (state === 'BUSY' && facts.hung !== undefined) return { do: 'fail', reason: `the agent is hung: ${facts.hung}` };
  if (!IDLE.includes(state)) {
    const isUnread = state !== 'BUSY' && composer === undefined;
    return { do: 'wait', for: `the agent is ${state}`, ...unlimited, ...(isUnread ? { needs: 'screen' } : {}) };
  }
  if (!facts.bracketedPaste) return { do: 'wait', for: 'the agent has not turned on bracketed paste yet' };
  const still = timings.stableMs - facts.stillMs;
  if (still > 0) return { do: 'wait', for: 'the agent is still printing', againMs: still };
  if (composer === undefined) return { do: 'wait', for: 'no composer is on the screen', needs: 'screen', ...unlimited };

  const begun = marked && (recorded === 'pasted' || recorded === 'submitted' || recorded === 'failed');
  if (begun && composer !== '') {
    // Also if another process pasted it just before it was killed.
    const early = recorded === 'pasted' && !facts.isShown ? timings.pasteMs - facts.sincePasteMs : 0;
    if (early > 0) return { do: 'wait', for: 'the paste has just appeared', againMs: early };
    return { do: 'enter' };
  }
  if (begun && recorded !== 'failed') {
    // Some programs show a paste long after they got it.
    const late = timings.pasteCapMs - facts.sincePasteMs;
    if (late > 0) return { do: 'wait', for: 'the paste may still appear', againMs: late };
    if (recorded === 'submitted') return { do: 'ask the conversation' };
  }
  if (composer !== '') {
    if (!facts.leftOver) {
      return { do: 'wait', for: 'a person has begun to write in the composer', unlimited: true, draft: true };
    }
    const soon = timings.clearAgainMs - facts.sinceClearMs;
    return soon > 0 ? { do: 'wait', for: 'the composer is being cleared', againMs: soon } : { do: 'clear' };
  }
  const fresh = timings.settleStartMs - facts.readyMs;
  if (fresh > 0) return { do: 'wait', for: 'the agent has just started', againMs: fresh };
  return { do: 'paste' };
}
