import { hash } from '../../../../schemas/hash.ts';
import type { Played } from '../../../../schemas/rpc/views/rehearsal.ts';

/** `tpl/rehearsal@1`: what devflow proved about a draft. */
export interface RehearsalRecord {
  template: { name: string; version: number; hash: string };
  /** The hashes of the draft and of the repository's facts. */
  draft: string;
  facts: string;
  walk: { states: number; steps: number; prompts: { min: number; max: number | null }; agents: number };
  run: Played;
  /** Lint asks a person to look at these. */
  warnings: { code: string; line: number; message: string }[];
  binding: string;
}

/** An approval binds the draft, the facts and everything that the rehearsal brought. */
export function bindingOf(record: Omit<RehearsalRecord, 'binding'>): string {
  const { template, draft, facts, walk, run, warnings } = record;
  return hash({ template, draft, facts, walk, run, warnings });
}
