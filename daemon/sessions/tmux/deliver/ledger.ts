import { join } from 'node:path';
import { z } from 'zod';
import { type JsonLines, openJsonLines } from '../../../system/jsonLines.ts';

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
});
export type LedgerLine = z.infer<typeof Line>;

const TYPED: readonly LedgerLine['state'][] = ['pasted', 'submitted'];

/** The write-ahead record of a session's prompts: `delivery.jsonl`. */
export interface Ledger {
  note(line: LedgerLine): void;
  /** The last line about a prompt. */
  of(uuid: string): (LedgerLine & { at: string }) | undefined;
  /** The prompt that was taken under this key. */
  taken(dedupKey: string): string | undefined;
  /** Whether devflow typed the prompt into this program, not into an earlier one of the session. */
  isWith(uuid: string, program: { pid: number; launch: number }): boolean;
  /** When the newest prompt was taken; undefined if none ever was. */
  lastTakenAt(): number | undefined;
  /** When the newest prompt that was taken was typed: nothing before that belongs to its turn. */
  lastTypedAt(): number | undefined;
  /** Prompts that were begun and neither taken nor failed. */
  unsettled(): (LedgerLine & { at: string })[];
}

export function openLedger(sessionDir: string): Ledger {
  const file: JsonLines<LedgerLine> = openJsonLines(join(sessionDir, 'delivery.jsonl'), Line);
  const last = new Map<string, LedgerLine & { at: string }>();
  for (const line of file.lines) last.set(line.uuid, line);
  return {
    note(line) {
      file.append(line);
      last.set(line.uuid, file.lines.at(-1) as LedgerLine & { at: string });
    },
    of: (uuid) => last.get(uuid),
    taken: (key) => [...last.values()].find((line) => line.dedupKey === key && line.state === 'acknowledged')?.uuid,
    isWith(uuid, { pid, launch }) {
      const typed = file.lines.findLast((line) => line.uuid === uuid && TYPED.includes(line.state));
      return typed === undefined || (typed.life === undefined ? typed.pid === pid : typed.life === launch);
    },
    lastTakenAt() {
      const taken = [...last.values()].filter(({ state }) => state === 'acknowledged');
      return taken.length === 0 ? undefined : Math.max(...taken.map(({ at }) => Date.parse(at)));
    },
    lastTypedAt() {
      const taken = file.lines.findLast(({ state }) => state === 'acknowledged');
      if (taken === undefined) return undefined;
      const typed = file.lines.findLast(({ uuid, state }) => uuid === taken.uuid && TYPED.includes(state));
      return Date.parse((typed ?? taken).at);
    },
    unsettled: () => [...last.values()].filter(({ state }) => state !== 'acknowledged' && state !== 'failed'),
  };
}

/** Records what a person says about a prompt that may or may not have been taken. */
export function answerDoubt(
  ledger: Ledger,
  { uuid, dedupKey }: Pick<LedgerLine, 'uuid' | 'dedupKey'>,
  assumeTaken: boolean,
): void {
  if (assumeTaken && ledger.taken(dedupKey) === undefined)
    ledger.note({ uuid, dedupKey, state: 'acknowledged', by: 'a person said so' });
  if (!assumeTaken && ledger.of(uuid)?.state === 'uncertain')
    ledger.note({ uuid, dedupKey, state: 'queued', reason: 'a person said that the agent did not take it' });
}
