import { expect } from 'vitest';
import { showPointer } from '../../../../schemas/contracts/autodev/autodevPart.ts';
import { awaitingInvocation, POINTER_FILE, type Pointer } from '../../../../schemas/contracts/autodev/pointer.ts';
import { renderPointer } from '../../../../schemas/contracts/autodev/renderPointer.ts';
import type { Workspace } from '../../../../schemas/contracts/autodev/resolveFlow.ts';
import type { Entry, TreeSnapshot } from '../../../../schemas/contracts/report/tree.ts';

/** A pointer to step 3 of greenfield, which is in progress. */
export function givenPointer(changes: Partial<Pointer> = {}): Pointer {
  return {
    flow: 'greenfield',
    step: 3,
    name: 'Plan',
    status: 'in_progress',
    sub_step: { phase: 4, name: 'architecture-review', detail: '' },
    retry_count: 0,
    cycle: 1,
    ...changes,
  };
}

/** A pointer to a step that has not begun. */
export function notStarted(flow: Pointer['flow'], step: number, name: string, cycle = 1): Pointer {
  return { flow, step, name, status: 'not_started', sub_step: awaitingInvocation(), retry_count: 0, cycle };
}

/** A repository with these files, and their directories. */
export function givenTree(files: Readonly<Record<string, string>>, others: readonly Entry[] = []): TreeSnapshot {
  const entries = new Map<string, Entry>();
  for (const [path, text] of Object.entries(files)) {
    const steps = path.split('/').slice(0, -1);
    for (const [index] of steps.entries()) {
      const directory = steps.slice(0, index + 1).join('/');
      entries.set(directory, { path: directory, kind: 'dir', size: 0, mtime: 0 });
    }
    entries.set(path, { path, kind: 'file', size: text.length, mtime: 0, text });
  }
  for (const entry of others) entries.set(entry.path, entry);
  return { now: 0, entries };
}

export function givenWorkspace(
  files: Readonly<Record<string, string>>,
  { source = null, pointer }: { source?: string | null; pointer?: Pointer | string } = {},
): Workspace {
  const text = typeof pointer === 'object' ? renderPointer(pointer) : pointer;
  return { tree: givenTree({ ...files, ...(text === undefined ? {} : { [POINTER_FILE]: text }) }), source };
}

/** These paths, each with some text. */
export function files(...paths: string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, 'x']));
}

export const PROBLEM = files(
  '_docs/00_problem/problem.md',
  '_docs/00_problem/restrictions.md',
  '_docs/00_problem/acceptance_criteria.md',
  '_docs/00_problem/input_data/a.csv',
);

/** What the contract says of a file alone: the folders are those of no step. */
export function show(text: string) {
  const report = showPointer(givenTree({ [POINTER_FILE]: text }));
  return { ...report, warnings: report.warnings.filter(({ code }) => code !== 'AUTODEV_DISAGREES') };
}

export function codesOf(text: string): string[] {
  const { errors, warnings } = show(text);
  return [...errors, ...warnings].map(({ code }) => code);
}

/** The file of a pointer with a change. */
export function changed(from: string | RegExp, to: string, pointer: Pointer = givenPointer()): string {
  const text = renderPointer(pointer);
  const after = text.replace(from, to);
  expect(after).not.toBe(text);
  return after;
}
