import type { AgentState } from '../observe/evidence.ts';
import type { LedgerLine } from './ledger.ts';

/** What is known of one prompt and of the agent it is for, at one moment. */
export interface DeliveryFacts {
  /** The last line of the record. */
  recorded: LedgerLine['state'] | undefined;
  /** The pane's mark names this prompt: its text was pasted into this pane, into the program that runs there. */
  marked: boolean;
  /** What showed that the agent took it. */
  proof: string | undefined;
  state: AgentState;
  /** What a busy agent is hung at. */
  hung: string | undefined;
  /** Undefined when no composer is to be seen. */
  composer: string | undefined;
  /** What stands in the composer is a prompt of devflow's that was given up. */
  leftOver: boolean;
  bracketedPaste: boolean;
  /** Milliseconds for which READY has lasted and the pane was silent. */
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
  /** A paste was recorded and nothing is to be seen of it or of the prompt; the composer is empty. */
  | { do: 'ask the conversation' }
  | Waiting
  | { do: 'give up'; reason: string };

export interface Waiting {
  do: 'wait';
  for: string;
  againMs?: number;
  /** Nothing else can say more. */
  needs?: 'screen';
  /** It is a person or the clock that is waited for: no time limit runs. */
  unlimited?: boolean;
  /** A person's half-typed text is in the way. */
  draft?: boolean;
}

/** States in which an idle agent reads what is typed. A failed turn is over; that it may fail again shows afterwards. */
const IDLE: readonly AgentState[] = ['READY', 'ERROR', 'LOGIN'];

/** States that a person or the clock ends, however long that takes. */
export const ENDED_BY_OTHERS: readonly AgentState[] = ['WAITING', 'DIALOG', 'QUOTA', 'LOGIN'];

/**
 * What may be done next for a prompt, whoever began with it: the same answer for the process that is at it and for one that
 * comes after a kill. The text is pasted only where it cannot have been pasted before, or is known to be lost. Pure.
 */
export function decideDelivery(facts: DeliveryFacts): DeliveryStep {
  const { recorded, marked, proof, state, composer, timings } = facts;
  if (proof !== undefined) return { do: 'done', by: proof };
  if (state === 'DEAD') return { do: 'give up', reason: 'the agent has ended' };
  const unlimited = ENDED_BY_OTHERS.includes(state) ? { unlimited: true } : {};
  // Waiting would not help; that it is hung tells the recovery that follows to end it.
  if (state === 'BUSY' && facts.hung !== undefined) return { do: 'give up', reason: `the agent hangs: ${facts.hung}` };
  if (!IDLE.includes(state)) {
    const isUnread = state !== 'BUSY' && composer === undefined;
    return { do: 'wait', for: `the agent is ${state}`, ...unlimited, ...(isUnread ? { needs: 'screen' } : {}) };
  }
  if (!facts.bracketedPaste) return { do: 'wait', for: 'the agent does not take pastes as one piece yet' };
  const still = timings.stableMs - facts.stillMs;
  if (still > 0) return { do: 'wait', for: 'the agent has not been quiet', againMs: still };
  if (composer === undefined) return { do: 'wait', for: 'no composer is on the screen', needs: 'screen', ...unlimited };

  const begun = marked && (recorded === 'pasted' || recorded === 'submitted' || recorded === 'failed');
  if (begun && composer !== '') {
    // Also where another process pasted it, a moment before it was killed.
    const early = recorded === 'pasted' ? timings.pasteMs - facts.sincePasteMs : 0;
    if (early > 0) return { do: 'wait', for: 'the paste has only just been shown', againMs: early };
    return { do: 'enter' };
  }
  if (begun && recorded !== 'failed') {
    // Some show a paste long after they got it.
    const late = timings.pasteCapMs - facts.sincePasteMs;
    if (late > 0) return { do: 'wait', for: 'the paste may yet be shown', againMs: late };
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
  if (fresh > 0) return { do: 'wait', for: 'the agent has only just started', againMs: fresh };
  return { do: 'paste' };
}
