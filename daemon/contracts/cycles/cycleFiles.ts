import { join } from 'node:path';
import { requireReadable, requireState } from '../../../schemas/contracts/cycle/check/requireState.ts';
import { documentsOf } from '../../../schemas/contracts/cycle/documents/documentsOf.ts';
import { repairOf } from '../../../schemas/contracts/cycle/rebuild/repair.ts';
import { type Synced, syncReport } from '../../../schemas/contracts/cycle/rebuild/sync.ts';
import {
  CYCLES,
  PROGRESS_DIRECTORIES,
  progressPath,
  statePath,
  wantedOf,
} from '../../../schemas/contracts/cycle/state/cyclePaths.ts';
import type { CycleState } from '../../../schemas/contracts/cycle/state/cycleState.ts';
import type { Report } from '../../../schemas/contracts/report/report.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside, makeInside } from '../../../schemas/files/insideRoot.ts';
import { withFileLock } from '../fileLock.ts';
import { LARGEST_BYTES, readTree } from '../readTree.ts';
import { writeWhole } from '../writeWhole.ts';
import { requireWritable, writeDocuments } from './writeDocuments.ts';

/** Makes the state file and the progress directory. Throws `cycle_exists` if one of them exists. */
export async function createCycle(repo: string, state: CycleState): Promise<CycleState> {
  const { cycle_id: id } = state;
  makeDirectory(repo, CYCLES);
  return withCycleLock(repo, id, () => {
    const taken = [statePath(id), progressPath(id)].find((path) => lookInside(repo, path).ok);
    if (taken !== undefined) throw new DevflowError('cycle_exists', `${taken} is there already.`);
    const text = stateText(state);
    for (const name of PROGRESS_DIRECTORIES) makeDirectory(repo, progressPath(id, name));
    writeWhole(repo, statePath(id), text);
    return state;
  });
}

/**
 * Changes a cycle: first its state, which is the truth, then the documents that follow. Throws before it writes anything.
 * Returns the paths of all files that it wrote.
 */
export async function changeCycle(
  repo: string,
  id: string,
  change: (state: CycleState) => CycleState,
): Promise<{ state: CycleState; files: string[] }> {
  const read = () => readTree(repo, [{ path: statePath(id) }], 0);
  requireReadable(read(), id);
  return withCycleLock(repo, id, () => {
    const before = requireState(read(), id);
    const state = change(before);
    const writes = documentsOf(before, state);
    const text = stateText(state);
    requireWritable(repo, writes);
    writeWhole(repo, statePath(id), text);
    return { state, files: [statePath(id), ...writeDocuments(repo, writes)] };
  });
}

/** Writes again the documents that differ from the state. Reports what still differs. */
export async function repairCycle(repo: string, id: string, now: number): Promise<Report<Synced>> {
  requireState(readCycleTree(repo, id, now), id);
  return withCycleLock(repo, id, () => {
    const tree = readCycleTree(repo, id, now);
    const writes = repairOf(tree, requireState(tree, id));
    requireWritable(repo, writes);
    const written = writeDocuments(repo, writes);
    const after = readCycleTree(repo, id, now);
    const report = syncReport(after, requireState(after, id));
    return { ...report, parsed: report.parsed && { ...report.parsed, written } };
  });
}

/** A state as its file has it. Throws for one that nobody could read again. */
export function stateText(state: CycleState): string {
  const text = JSON.stringify(state, null, 2);
  const bytes = Buffer.byteLength(text);
  if (bytes <= LARGEST_BYTES) return text;
  const message = `The state would have ${bytes} bytes, and devflow reads at most ${LARGEST_BYTES}.`;
  throw new DevflowError('contract_invalid', message, { data: { errors: [] } });
}

/** Reads the documents and the state of a cycle. */
export function readCycleTree(repo: string, id: string, now: number) {
  return readTree(repo, wantedOf(id), now);
}

function makeDirectory(repo: string, path: string): void {
  const made = makeInside(repo, path, 0o755);
  if (!made.ok) throw new DevflowError('path_unsafe', `devflow cannot make ${path}: ${made.fault}.`);
}

/** A write takes milliseconds, so a lock this old is a defect of its holder. */
const PATIENCE_MS = 5000;

/** Runs `act` while no other process changes the cycle. The four agents of a cycle may report at the same time. */
export function withCycleLock<T>(repo: string, id: string, act: () => T): Promise<T> {
  const path = `${CYCLES}/.${id}.lock`;
  const refuse = (pid: number | undefined) => locked(id, join(repo, path), pid);
  return withFileLock({ repo, path, waitMs: PATIENCE_MS, refuse }, act);
}

function locked(id: string, path: string, holder: number | undefined): DevflowError {
  const who = holder === undefined ? 'Another process' : `Process ${holder}`;
  return new DevflowError('contract_in_use', `${who} is changing the cycle ${id}.`, {
    recoveryHint: `Try again. If no such process exists, remove ${path}.`,
    data: { pid: holder ?? null },
  });
}
