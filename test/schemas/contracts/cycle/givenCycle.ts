import { validateCycle } from '../../../../schemas/contracts/cycle/check/checkCycle.ts';
import { requireState } from '../../../../schemas/contracts/cycle/check/requireState.ts';
import { documentsOf } from '../../../../schemas/contracts/cycle/documents/documentsOf.ts';
import type { CycleEvent } from '../../../../schemas/contracts/cycle/evolve/cycleEvent.ts';
import { evolveNew } from '../../../../schemas/contracts/cycle/evolve/evolve.ts';
import { readEvent } from '../../../../schemas/contracts/cycle/evolve/readEvent.ts';
import { progressPath, statePath } from '../../../../schemas/contracts/cycle/state/cyclePaths.ts';
import { AGENTS, type CycleState } from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { newCycle } from '../../../../schemas/contracts/cycle/state/newCycle.ts';
import type { Mode } from '../../../../schemas/contracts/report/report.ts';
import type { Entry, TreeSnapshot } from '../../../../schemas/contracts/report/tree.ts';

export const ID = 'cycle-v1-20260122T100000-abc123';
export const NOW = Date.parse('2026-01-22T10:00:00+08:00');
export const MINUTE = 60_000;

export function created(task = 'Implement OAuth authentication'): CycleState {
  return newCycle({ id: ID, task }, NOW);
}

/** The state after events, one minute apart. */
export function play(state: CycleState, ...events: unknown[]): CycleState {
  return events.reduce<CycleState>((before, event, index) => {
    return evolveNew(before, readEvent(event), NOW + (index + 1) * MINUTE);
  }, state);
}

export const started = (state = created()) => play(state, { type: 'iteration.started' });

/** All four agents have completed. */
export const AGENTS_DONE = AGENTS.flatMap((agent) => [
  { type: 'agent.started', agent },
  { type: 'agent.completed', agent },
]);

export const delivered = (state = started()) => play(state, ...AGENTS_DONE);
export const closed = (state = delivered()) => play(state, { type: 'iteration.completed' });

/** The code of what a change refuses, or of the first error. */
export function refusalOf(change: () => unknown): { code: string; data: Record<string, unknown> } {
  try {
    change();
  } catch (error) {
    const { code, data } = error as { code: string; data: Record<string, unknown> };
    return { code, data };
  }
  throw new Error('nothing was refused');
}
export const refused = (change: () => unknown) => refusalOf(change).code;

/** A repository with these files. */
export function treeOf(files: Readonly<Record<string, string | Partial<Entry>>>, now = NOW): TreeSnapshot {
  const entries = Object.entries(files).map(([path, file]): [string, Entry] => {
    const more = typeof file === 'string' ? { text: file, size: file.length } : file;
    return [path, { path, kind: 'file', size: 0, mtime: NOW, ...more }];
  });
  return { now, entries: new Map(entries) };
}

export function findingsOf(state: unknown, mode: Mode = 'strict') {
  const text = typeof state === 'string' ? state : JSON.stringify(state);
  return validateCycle(treeOf({ [statePath(ID)]: text }), ID, { mode });
}

/** The codes of a state, errors and warnings. */
export function codesOf(state: unknown, mode: Mode = 'strict'): { errors: string[]; warnings: string[] } {
  const { errors, warnings } = findingsOf(state, mode);
  return { errors: errors.map(({ code }) => code), warnings: warnings.map(({ code }) => code) };
}

/** Whether a state is valid as devflow writes it. */
export function requireValidState(state: CycleState): CycleState {
  return requireState(treeOf({ [statePath(state.cycle_id)]: JSON.stringify(state) }), state.cycle_id);
}

/** A state and its documents, kept as the edge keeps them, but in memory. */
export class Played {
  state: CycleState;
  readonly files: Record<string, string> = {};
  #now = NOW;

  constructor(state: CycleState) {
    this.state = state;
  }

  apply(event: CycleEvent): this {
    return this.change((state, now) => evolveNew(state, event, now));
  }

  change(make: (state: CycleState, now: number) => CycleState): this {
    this.#now += MINUTE;
    const next = make(this.state, this.#now);
    for (const write of documentsOf(this.state, next)) {
      const before = write.kind === 'append' ? (this.files[write.path] ?? '') : '';
      this.files[write.path] = before + write.text;
    }
    this.state = next;
    return this;
  }

  tree(state?: string): TreeSnapshot {
    const mine = state === undefined ? {} : { [statePath(this.state.cycle_id)]: state };
    return treeOf({ ...this.files, ...mine, [progressPath(this.state.cycle_id)]: { kind: 'dir' } }, this.#now);
  }
}
