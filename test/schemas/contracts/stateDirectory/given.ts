import type { Entry, TreeSnapshot } from '../../../../schemas/contracts/report/tree.ts';
import { STATE_DIR } from '../../../../schemas/contracts/stateDirectory/contract.ts';

export const NOW = Date.parse('2026-06-09T12:30:00.123Z');
export const DAY = 24 * 60 * 60 * 1000;

export interface GivenEntry {
  text?: string;
  kind?: Entry['kind'];
  /** Days before now. */
  age?: number;
}

/** A state directory with these entries; a text is a file that was just written. */
export function givenState(files: Readonly<Record<string, string | GivenEntry>> = {}): TreeSnapshot {
  const entries = new Map<string, Entry>([[STATE_DIR, { path: STATE_DIR, kind: 'dir', size: 4096, mtime: NOW }]]);
  for (const [name, given] of Object.entries(files)) {
    const { text = 'x', kind = 'file', age = 0 } = typeof given === 'string' ? { text: given } : given;
    const path = `${STATE_DIR}/${name}`;
    const content = kind === 'file' ? { text } : {};
    entries.set(path, { path, kind, size: text.length, mtime: NOW - age * DAY, ...content });
  }
  return { now: NOW, entries };
}

/** A repository without a state directory. */
export const NOTHING: TreeSnapshot = { now: NOW, entries: new Map() };

export function names(actions: readonly { path: string }[]): string[] {
  return actions.map(({ path }) => path.slice(STATE_DIR.length + 1));
}

export function codes({ errors, warnings }: { errors: { code: string }[]; warnings: { code: string }[] }): string[] {
  return [...errors, ...warnings].map(({ code }) => code);
}
