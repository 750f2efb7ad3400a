import { join } from 'node:path';
import { z } from 'zod';
import type { MessageProof } from '../../../../schemas/events/message.ts';
import { type JsonLines, openJsonLines, type Written } from '../../../system/jsonLines.ts';

const Line = z.object({
  uuid: z.string(),
  dedupKey: z.string(),
  /**
   * `pasted` and `submitted` are written before the action: it may or may not have happened. `uncertain`: a person must
   * say whether the prompt was taken.
   */
  state: z.enum(['queued', 'pasted', 'submitted', 'acknowledged', 'failed', 'uncertain']),
  /** The process that got the paste. */
  pid: z.number().optional(),
  /** The number of the launch, under its older name; absent in records of earlier versions. */
  life: z.number().optional(),
  /** The proof that the prompt was taken. */
  by: z.string().optional(),
  reason: z.string().optional(),
  /** The number of a person's answer. */
  answer: z.number().optional(),
  /** It asks for no artifact. */
  message: z.literal(true).optional(),
});
export type LedgerLine = z.infer<typeof Line>;

type Entry = LedgerLine & Written;

/** Why a prompt counts as taken: the values of `by`. */
export const PROOF = {
  hook: 'a hook reported it',
  conversation: 'its conversation contains it',
  turn: 'a turn began after Enter',
  later: 'seen later',
  person: 'a person said so',
} as const satisfies Record<MessageProof, string>;

/** The name of a proof. Older records may have words that are none of these. */
export function proofNamed(by: string | undefined): MessageProof {
  const [name] = Object.entries(PROOF).find(([, words]) => words === by) ?? ['later'];
  return name as keyof typeof PROOF;
}

/** True if the program itself has said that it has the prompt. A turn may be another one's, and a person may err. */
export function isSeen({ state, by }: Pick<LedgerLine, 'state' | 'by'>): boolean {
  return state === 'acknowledged' && by !== PROOF.turn && by !== PROOF.person;
}

const SO_FAR = {
  queued: 'nothing',
  pasted: 'typed',
  submitted: 'typed',
  acknowledged: 'typed',
  failed: 'nothing',
  uncertain: 'in doubt',
} as const satisfies Record<LedgerLine['state'], string>;

const TYPED: readonly LedgerLine['state'][] = ['pasted', 'submitted'];

/** The progress of typing a prompt into one program, since devflow last was certain that the program lacked it. */
export interface Typed {
  state: 'pasted' | 'submitted';
  /** When Enter was first pressed, or else when it was pasted. */
  since: number;
  lastAt: number;
}

interface Program {
  pid: number;
  launch: number;
}

/** The write-ahead record of a session's prompts: `delivery.jsonl`. All times that it tells are of the steady clock. */
export interface Ledger {
  note(line: LedgerLine): void;
  /** The last line about a prompt. */
  of(uuid: string): Entry | undefined;
  /** The prompt that was taken under this key. */
  taken(dedupKey: string): string | undefined;
  /** True if devflow typed the prompt into this program, not into an earlier one of the session. */
  isWith(uuid: string, program: Program): boolean;
  hasAnswer(uuid: string, answer: number): boolean;
  /** True while the program may have it: it was typed there, and has neither failed nor begun again since. */
  isTyped(uuid: string, program: Program): boolean;
  /** How far devflow came with it in any program of the session. */
  soFar(uuid: string): (typeof SO_FAR)[LedgerLine['state']];
  /** Undefined if it was not typed into this program. */
  typed(uuid: string, program: Program): Typed | undefined;
  /**
   * True if a prompt was taken that was typed at this launch or later. Older records do not name their launch, and
   * count.
   */
  hasTakenSince(launch: number): boolean;
  /** When the newest prompt was taken; undefined if none ever was. */
  lastTakenAt(): number | undefined;
  /** When the newest prompt that was taken was typed: nothing before that belongs to its turn. */
  lastTypedAt(): number | undefined;
  /** When the first prompt was typed into the program of this launch; undefined if none was. */
  firstTypedAt(program: Program): number | undefined;
  /** Prompts that were begun and neither taken nor failed. */
  unsettled(): Entry[];
}

function isOf({ life, pid }: LedgerLine, program: Program): boolean {
  return life === undefined ? pid === program.pid : life === program.launch;
}

export function openLedger(sessionDir: string): Ledger {
  const file: JsonLines<LedgerLine> = openJsonLines(join(sessionDir, 'delivery.jsonl'), Line);
  const last = new Map<string, Entry>();
  for (const line of file.lines) last.set(line.uuid, line);
  return {
    note(line) {
      file.append(line);
      last.set(line.uuid, file.lines.at(-1) as Entry);
    },
    of: (uuid) => last.get(uuid),
    taken: (key) => [...last.values()].find((line) => line.dedupKey === key && line.state === 'acknowledged')?.uuid,
    isWith(uuid, program) {
      const typed = file.lines.findLast((line) => line.uuid === uuid && TYPED.includes(line.state));
      return typed === undefined || isOf(typed, program);
    },
    hasAnswer: (uuid, answer) => file.lines.some((line) => line.uuid === uuid && line.answer === answer),
    isTyped(uuid, program) {
      const line = last.get(uuid);
      return line !== undefined && TYPED.includes(line.state) && isOf(line, program);
    },
    soFar: (uuid) => SO_FAR[last.get(uuid)?.state ?? 'queued'],
    typed(uuid, program) {
      const lines = file.lines.filter((line) => line.uuid === uuid);
      const typed = lines
        .slice(lines.findLastIndex(({ state }) => state === 'queued') + 1)
        .filter((line) => TYPED.includes(line.state) && isOf(line, program));
      const entered = typed.find(({ state }) => state === 'submitted');
      const [first, newest] = [entered ?? typed[0], typed.at(-1)];
      if (!first || !newest) return undefined;
      return { state: entered ? 'submitted' : 'pasted', since: first.steadyAt, lastAt: newest.steadyAt };
    },
    hasTakenSince: (launch) =>
      file.lines.some(
        ({ uuid, state, life = launch }) =>
          TYPED.includes(state) && life >= launch && last.get(uuid)?.state === 'acknowledged',
      ),
    lastTakenAt() {
      const taken = [...last.values()].filter(({ state }) => state === 'acknowledged');
      return taken.length === 0 ? undefined : Math.max(...taken.map(({ steadyAt }) => steadyAt));
    },
    lastTypedAt() {
      const taken = file.lines.findLast(({ state }) => state === 'acknowledged');
      if (taken === undefined) return undefined;
      const typed = file.lines.findLast(({ uuid, state }) => uuid === taken.uuid && TYPED.includes(state));
      return (typed ?? taken).steadyAt;
    },
    firstTypedAt: (program) => file.lines.find((line) => TYPED.includes(line.state) && isOf(line, program))?.steadyAt,
    unsettled: () => [...last.values()].filter(({ state }) => state !== 'acknowledged' && state !== 'failed'),
  };
}

/**
 * Records what a person says about a prompt that may or may not have been taken. After a kill the same answer may come
 * again: it says nothing about a later doubt.
 */
export function answerDoubt(
  ledger: Ledger,
  { uuid, dedupKey }: Pick<LedgerLine, 'uuid' | 'dedupKey'>,
  { assumeTaken, answer }: { assumeTaken?: boolean; answer?: number },
): void {
  if (assumeTaken === undefined || (answer !== undefined && ledger.hasAnswer(uuid, answer))) return;
  if (assumeTaken && ledger.taken(dedupKey) === undefined)
    ledger.note({ uuid, dedupKey, state: 'acknowledged', by: PROOF.person, answer });
  if (!assumeTaken && ledger.of(uuid)?.state === 'uncertain')
    ledger.note({ uuid, dedupKey, state: 'queued', reason: 'a person said that the agent did not take it', answer });
}
