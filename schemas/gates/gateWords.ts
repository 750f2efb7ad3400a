import type { GateKind } from '../enums.ts';
import { MAIN } from '../mainLane.ts';

export interface GateWords {
  /** For the documents: what is special about it. */
  about: string | null;
  /** After the gate's key in `devflow approval show`. */
  note: string;
  /** The title of what it asks about, on its screen; null for a gate whose work stands there itself. */
  title: string | null;
  /** The consequence of each decision, where `consequencesOf` says nothing. */
  next: string;
  /** The consequence of an approval, which begins this attempt of the work. */
  approved(attempt: number): string;
  /** The consequence of a rejection. */
  rejected: string;
  /** The question before a rejection and what it does, where that ends nothing. */
  keep: readonly [question: string, detail: string] | null;
  /** Why it cannot be approved together with others; null if it can. */
  alone: string | null;
  /** Why it closed without a decision; null if the run says why. */
  closed: string | null;
}

const ENDS = { rejected: 'the run fails', keep: null, alone: null } as const;
const goesOn = () => 'the run continues';

export const GATE_WORDS: Readonly<Record<GateKind, GateWords>> = {
  gate: {
    ...ENDS,
    about: 'A gate blocks its run until a person decides.',
    note: '',
    title: null,
    next: '',
    approved: goesOn,
    closed: null,
  },
  recovery: {
    ...ENDS,
    about: null,
    note: ' (devflow cannot continue alone)',
    title: 'Problem',
    next: 'Approve tries again. Request changes tries again with your comment. Reject fails the run.',
    approved: (attempt) => `attempt ${attempt} starts`,
    closed: null,
  },
  cleanup: {
    about: null,
    note: '',
    title: 'Files',
    next: "Approve removes the worktree and keeps a copy in the run's directory. Reject keeps the worktree.",
    approved: () => 'devflow removes the worktree',
    rejected: 'the worktree stays',
    keep: ['Keep the worktree?', 'devflow removes nothing.'],
    alone: 'a cleanup gate removes files; decide it on its own screen',
    closed: 'a newer gate replaced it',
  },
  agent: {
    ...ENDS,
    about: 'An agent gate blocks nothing: a person answers it in the pane.',
    note: ' (answer it in its pane; devflow types nothing there)',
    title: 'Question',
    next: 'Answer the agent in its pane, and the gate closes. Reject fails the run.',
    approved: goesOn,
    closed: 'the agent no longer asks',
  },
  turn: {
    ...ENDS,
    about: 'The gate of a turn that ended closes when the agent goes on.',
    note: ' (answer it here or in its pane)',
    title: 'Turn',
    next: '',
    approved: goesOn,
    closed: 'the agent works again, or nobody waits for its file any more',
  },
};

/** A kind that only a newer daemon knows. */
const UNKNOWN: GateWords = {
  ...ENDS,
  about: null,
  note: '',
  title: 'Question',
  next: '',
  approved: goesOn,
  closed: null,
};

export function gateWords({ kind }: { kind: GateKind }): GateWords {
  return Object.hasOwn(GATE_WORDS, kind) ? GATE_WORDS[kind] : UNKNOWN;
}

interface About {
  laneId?: string | null | undefined;
  assignment?: string | null | undefined;
}

/** The assignment or the lane that a gate is about; null if it is about its phase. */
export function gateAbout({ laneId = null, assignment }: About): string | null {
  // A gate of the plan or of the merge queue names `main`, which says nothing to a person.
  return assignment ?? (laneId === MAIN ? null : laneId);
}

/** `gate (phase)`, or only the gate if both have the same name. A gate of a lane or of an assignment names it as well. */
export function gateName({ gateKey, phaseKey, ...about }: Named): string {
  const parts = [phaseKey === gateKey ? null : phaseKey, gateAbout(about)].filter((part) => part);
  return parts.length === 0 ? gateKey : `${gateKey} (${parts.join(', ')})`;
}

interface Named extends About {
  gateKey: string;
  phaseKey: string | null;
}
