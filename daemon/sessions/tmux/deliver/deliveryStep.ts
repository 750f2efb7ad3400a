import { type AgentState, ENDED_BY_OTHERS } from '../profile/evidence.ts';
import type { Timings } from '../profile/profile.ts';
import { PROOF, type Typed } from './ledger.ts';

/** The facts about one prompt and its agent at one moment. */
export interface DeliveryFacts {
  /** The progress of typing it into the program in this pane; undefined if it certainly was not typed. */
  typed: Typed['state'] | undefined;
  /** A turn began after it was typed: after Enter, if that was pressed. */
  turnBegan: boolean;
  /** Reads the agent's own record of the conversation now; undefined if none is known. */
  conversationHas(): boolean | undefined;
  /** The pane's mark names this prompt: nothing was pasted into this pane after it. */
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
  /** The last paste may still appear: the program has not said that it read it, and no keys cleared it. */
  pasteOpen(): boolean;
  /** This process saw the paste in the composer, and the pane was silent after it. */
  isShown: boolean;
  /** The screen says that the program holds what it got until its start is complete. */
  isHeld: boolean;
  bracketedPaste: boolean;
  /** Milliseconds since the agent is READY and the pane is silent. */
  stillMs: number;
  /** Milliseconds since it was first ready after its start. */
  readyMs: number;
  /** Milliseconds since it was last typed: pasted, or sent by Enter. */
  sinceTypedMs: number;
  /** Milliseconds of patience with an idle program, since the prompt was typed or last stood in its composer. */
  sinceShownMs: number;
  /** The pane has printed since it was typed. An agent that shows a paste prints, also one that reads it late. */
  hasPrinted: boolean;
  /** Milliseconds since the keys that clear the composer were last pressed. */
  sinceClearMs: number;
  /** The pane has printed since then: the program has read them. */
  hasCleared: boolean;
  timings: Pick<
    Timings,
    | 'stableMs'
    | 'resumeMs'
    | 'settleStartMs'
    | 'unreadMs'
    | 'pasteMs'
    | 'pasteCapMs'
    | 'proofMs'
    | 'goneMs'
    | 'clearAgainMs'
  >;
}

export type DeliveryStep =
  | { do: 'done'; by: string }
  | { do: 'enter' | 'clear' | 'paste' }
  /** It was typed and left the composer, and nothing says whether the agent took it. */
  | { do: 'ask a person' }
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
 * after a kill. It pastes the text again only if the first paste is certainly gone. Pure but for the record.
 */
export function decideDelivery(facts: DeliveryFacts): DeliveryStep {
  const { typed, marked, proof, state, composer, timings } = facts;
  if (proof !== undefined) return { do: 'done', by: proof };
  const beganTurn = typed === 'submitted' && facts.turnBegan;
  if (beganTurn && (composer === '' || state === 'DEAD')) return afterTurnBegan(facts);
  if (state === 'DEAD') return { do: 'fail', reason: 'the agent has ended' };
  const unlimited = ENDED_BY_OTHERS.includes(state) ? { unlimited: true } : {};
  // Waiting would not help; the recovery that follows restarts the agent.
  if (state === 'BUSY' && facts.hung !== undefined) return { do: 'fail', reason: `the agent is hung: ${facts.hung}` };
  if (!IDLE.includes(state)) {
    const isUnread = composer === undefined && (state !== 'BUSY' || beganTurn);
    return { do: 'wait', for: `the agent is ${state}`, ...unlimited, ...(isUnread ? { needs: 'screen' } : {}) };
  }
  if (!facts.bracketedPaste) return { do: 'wait', for: 'the agent has not turned on bracketed paste yet' };
  const still = timings.stableMs - facts.stillMs;
  if (still > 0) return { do: 'wait', for: 'the agent is still printing', againMs: still };
  if (composer === undefined) return { do: 'wait', for: 'no composer is on the screen', needs: 'screen', ...unlimited };
  if (facts.isHeld) return held(facts);

  if (typed && marked && composer !== '') {
    // Also if another process pasted it just before it was killed.
    const early = typed === 'pasted' && !facts.isShown ? timings.pasteMs - facts.sinceTypedMs : 0;
    if (early > 0) return { do: 'wait', for: 'the paste has just appeared', againMs: early };
    return { do: 'enter' };
  }
  const soon = timings.clearAgainMs - facts.sinceClearMs;
  if (composer !== '') {
    if (!facts.leftOver) {
      return { do: 'wait', for: 'a person has begun to write in the composer', unlimited: true, draft: true };
    }
    return soon > 0 ? { do: 'wait', for: 'the composer is being cleared', againMs: soon } : { do: 'clear' };
  }
  const doubt = typed && afterTyping(typed, facts);
  if (doubt) return doubt;
  const fresh = timings.settleStartMs - facts.readyMs;
  if (fresh > 0) return { do: 'wait', for: 'the agent has just started', againMs: fresh };
  const pressed = facts.hasCleared ? 0 : timings.goneMs - facts.sinceClearMs;
  const clearing = facts.pasteOpen() ? Math.max(soon, pressed) : pressed;
  if (clearing > 0) return { do: 'wait', for: 'the composer is being cleared', againMs: clearing };
  // A program reads what it gets in order, so the earlier paste goes before the next one.
  return { do: facts.pasteOpen() ? 'clear' : 'paste' };
}

/** Keys would not help, and may end a program that starts. */
function held({ sinceTypedMs, timings }: DeliveryFacts): DeliveryStep {
  const left = timings.resumeMs - sinceTypedMs;
  if (left > 0) return { do: 'wait', for: 'the agent completes its start', againMs: left };
  return { do: 'fail', reason: 'the agent does not complete its start' };
}

/** A stronger proof may still come. */
function afterTurnBegan({ sinceShownMs, state, timings, conversationHas }: DeliveryFacts): DeliveryStep {
  const early = state === 'DEAD' ? 0 : timings.proofMs - sinceShownMs;
  if (early > 0) return { do: 'wait', for: 'the agent reports the prompt', againMs: early };
  return { do: 'done', by: conversationHas() ? PROOF.conversation : PROOF.turn };
}

/**
 * The step for a typed prompt that is missing from the empty composer of the idle agent. Undefined if it is certainly
 * gone: Enter led to no turn, and the known record lacks the prompt.
 */
function afterTyping(typed: Typed['state'], facts: DeliveryFacts): DeliveryStep | undefined {
  const { timings, sinceShownMs } = facts;
  // Some programs show a paste long after they got it.
  const late = timings.pasteCapMs - sinceShownMs;
  if (late > 0) return { do: 'wait', for: 'the paste may still appear', againMs: late };
  const known = facts.conversationHas();
  if (known) return { do: 'done', by: PROOF.conversation };
  const couldBeTaken = typed === 'submitted' && known === undefined;
  const isLost = typed === 'pasted' && !facts.turnBegan;
  const left = (isLost && !facts.hasPrinted ? timings.unreadMs : timings.goneMs) - sinceShownMs;
  // A busy program may show it late. A second paste would reach it twice.
  const sign = isLost ? 'the paste may still appear' : 'a sign that the agent took the prompt';
  if (left > 0) return { do: 'wait', for: sign, againMs: left };
  if (isLost) return undefined;
  return couldBeTaken || facts.turnBegan ? { do: 'ask a person' } : undefined;
}
