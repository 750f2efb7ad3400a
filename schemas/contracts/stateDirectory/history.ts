import { childrenOf, type TreeSnapshot, textOf, type Wanted } from '../report/tree.ts';
import { ARCHIVE_DIR } from './contract.ts';
import { newestFirst, readSnapshotName, type SnapshotKind } from './ring.ts';
import { parseWorkflow } from './workflowFile.ts';

/** A snapshot in the archive. The type and the task are known only if it has a workflow.yaml. */
export interface Snapshot {
  name: string;
  kind: SnapshotKind;
  workflowType: string | null;
  task: string | null;
  files: number;
}

export const WANTED_HISTORY: readonly Wanted[] = [
  { path: ARCHIVE_DIR, depth: 2, text: (path) => path.endsWith('/workflow.yaml') },
];

/** The snapshots in the archive, newest first. */
export function listSnapshots(tree: TreeSnapshot): Snapshot[] {
  const directories = childrenOf(tree, ARCHIVE_DIR).filter(({ kind }) => kind === 'dir');
  const counts = countFiles(tree);
  return newestFirst(directories.map(({ name }) => name)).map((name) => {
    const file = textOf(tree, `${ARCHIVE_DIR}/${name}/workflow.yaml`);
    const read = file.ok ? parseWorkflow(file.text) : undefined;
    const textOfField = (key: string) => {
      const value = read?.ok ? read.workflow.values.get(key) : undefined;
      return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
    };
    return {
      name,
      kind: (readSnapshotName(name) as { kind: SnapshotKind }).kind,
      workflowType: textOfField('workflow_type'),
      task: textOfField('task'),
      files: counts.get(name) ?? 0,
    };
  });
}

/** The number of entries directly in each directory of the archive. */
function countFiles(tree: TreeSnapshot): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of tree.entries.keys()) {
    const [name = '', ...below] = path.startsWith(`${ARCHIVE_DIR}/`)
      ? path.slice(ARCHIVE_DIR.length + 1).split('/')
      : [];
    if (below.length === 1) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
