import { editedPath } from '../../../../daemon/core/edits/editable.ts';
import type { Edit } from '../../../../daemon/core/edits/editDocument.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Artifact, Run } from '../../../../daemon/core/run/state.ts';
import { sha256hex } from '../../../../schemas/hash.ts';

/** The document that the open gate shows. */
export function shownAt(run: Run): Artifact {
  const [gate] = openGates(run);
  const [shown] = (gate?.subject.artifacts ?? []) as { path: string; hash: string }[];
  const found = run.artifacts.find(({ path, hash }) => path === shown?.path && hash === shown?.hash);
  if (!found) throw new TypeError('the gate shows no artifact');
  return found;
}

/** A person's version of the document at the open gate. The same `nth` is the same text. */
export const editing =
  ({ nth = 1, title, data, ...more }: Partial<Edit> & { nth?: number; title?: string; data?: unknown } = {}) =>
  (run: Run): Signal => {
    const artifact = shownAt(run);
    const hash = sha256hex(`version ${nth}`);
    return {
      type: 'edit',
      approvalRequestId: openGates(run)[0]?.id ?? '',
      replaces: artifact.hash,
      clientToken: `edit ${nth}`,
      document: {
        hash,
        storedPath: editedPath(artifact, hash),
        ...(title === undefined ? {} : { title }),
        ...(data === undefined ? {} : { data }),
      },
      ...more,
    };
  };
