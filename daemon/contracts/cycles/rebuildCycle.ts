import { requireReadable } from '../../../schemas/contracts/cycle/check/requireState.ts';
import { type Rebuilt, rebuild } from '../../../schemas/contracts/cycle/rebuild/rebuild.ts';
import { progressPath, statePath } from '../../../schemas/contracts/cycle/state/cyclePaths.ts';
import { compactTime } from '../../../schemas/contracts/cycle/state/cycleTime.ts';
import type { Report } from '../../../schemas/contracts/report/report.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside, readInside, writeInside } from '../../../schemas/files/insideRoot.ts';
import { writeWhole } from '../writeWhole.ts';
import { readCycleTree, stateText, withCycleLock } from './cycleFiles.ts';

/** A state file larger than a state can be. It is only copied. */
const LARGEST_COPY = 1024 * 1024 * 1024;

/** Rebuilds a cycle from its documents. Throws if neither its state nor its progress directory is there. */
export function rebuildReport(repo: string, id: string, now: number): Report<Rebuilt> {
  const tree = readCycleTree(repo, id, now);
  if (!tree.entries.has(statePath(id)) && !tree.entries.has(progressPath(id))) requireReadable(tree, id);
  return rebuild(tree, id);
}

/** Writes what the documents tell as the new state, and keeps the old file. If a document cannot be read, it writes nothing. */
export async function applyRebuild(
  repo: string,
  id: string,
  { force, now }: { force: boolean; now: number },
): Promise<Report<Rebuilt>> {
  rebuildReport(repo, id, now);
  return withCycleLock(repo, id, () => {
    const report = rebuildReport(repo, id, now);
    if (report.parsed?.intact && !force) {
      throw new DevflowError('cycle_state_intact', `The state of ${id} can be read, so it is not replaced.`);
    }
    if (!report.valid || !report.parsed?.state) return report;
    const text = stateText(report.parsed.state);
    const savedAs = keepOld(repo, statePath(id), compactTime(now));
    writeWhole(repo, statePath(id), text);
    return { ...report, parsed: { ...report.parsed, written: true, savedAs } };
  });
}

/** Copies the old state file to a name that is free. Null if there is none. */
function keepOld(repo: string, path: string, time: string): string | null {
  const old = readInside(repo, path, LARGEST_COPY);
  if (!old.ok && old.missing) return null;
  if (!old.ok) throw unsafe(path, old.fault);
  for (let number = 1; ; number += 1) {
    const copy = `${path}.corrupt-${time}${number === 1 ? '' : `-${number}`}`;
    if (lookInside(repo, copy).ok) continue;
    const written = writeInside(repo, copy, old.bytes, 0o644);
    if (!written.ok) throw unsafe(copy, written.fault);
    return copy;
  }
}

function unsafe(path: string, fault: string): DevflowError {
  return new DevflowError('path_unsafe', `devflow cannot replace ${path}: ${fault}.`);
}
