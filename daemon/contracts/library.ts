import { checkContracts } from '../../schemas/contracts/checkContracts.ts';
import { WANTED_OF_ALL } from '../../schemas/contracts/registry.ts';
import type { Mode, Report } from '../../schemas/contracts/report/report.ts';
import type { Entry, TreeSnapshot } from '../../schemas/contracts/report/tree.ts';
import { systemClock } from '../system/clock.ts';
import { requireRepository } from './contractPorts.ts';
import { readTree } from './readTree.ts';

// The package's export `devflow/contracts`: scripts check contracts as `devflow contract check` does, without a process.

const MODES: readonly string[] = ['strict', 'soft'] satisfies Mode[];

/**
 * Checks what a snapshot has of a contract (`handover/plan@1`), of a family (`handover`), or of all (`*`). The report is that of
 * `devflow contract check --json`. Throws an error with the code `contract_not_found` for another name.
 */
export function check(id: string, snapshot: TreeSnapshot, { mode }: { mode?: Mode } = {}): Report {
  // A script has no compiler that finds another mode, for which no finding would be an error.
  if (mode !== undefined && !MODES.includes(mode)) throw new TypeError(`mode is neither ${MODES.join(' nor ')}`);
  return checkContracts(snapshot, { contract: id === '*' ? undefined : id, mode });
}

/** The files of a repository that contracts are about. It follows no link. */
export function readSnapshot(repo: string, now = time()): TreeSnapshot {
  requireRepository(repo);
  return readTree(repo, WANTED_OF_ALL, now);
}

/** A snapshot of texts that are nowhere yet, by their paths in the repository. */
export function snapshotOf(texts: Readonly<Record<string, string>>, now = time()): TreeSnapshot {
  const entries = new Map<string, Entry>();
  for (const [path, text] of Object.entries(texts)) {
    const names = path.split('/');
    for (const [index] of names.slice(1).entries()) {
      const directory = names.slice(0, index + 1).join('/');
      entries.set(directory, { path: directory, kind: 'dir', size: 0, mtime: now });
    }
    entries.set(path, { path, kind: 'file', size: Buffer.byteLength(text), mtime: now, text });
  }
  return { now, entries };
}

function time(): number {
  return systemClock.now().getTime();
}
