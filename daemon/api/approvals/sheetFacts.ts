import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { ArtifactContent } from '../../../schemas/rpc/views/artifact.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { tailOf } from '../../engine/performers/tailOf.ts';
import { checksOf, isFailed } from '../../sheet/checks.ts';
import type { SheetFacts } from '../../sheet/sheetFacts.ts';

/** A person reads the first failures; the others are in their files. */
const MOST_TAILS = 5;

/** The facts of a gate's sheet, from what `approval.get` has read already and from the outputs of failed commands. */
export function sheetFacts(
  run: Run,
  approval: Approval,
  read: Pick<ApprovalDetail, 'diff' | 'uncommittedFiles' | 'moved' | 'refused' | 'comments'> & {
    contents: readonly ArtifactContent[];
    unreadable: readonly string[];
  },
): SheetFacts {
  const { diff, uncommittedFiles, unreadable, moved, refused, comments = [] } = read;
  const failed = checksOf(run, approval).filter((command) => isFailed(command) && command.tail === undefined);
  const tails = failed.slice(0, MOST_TAILS).flatMap((command): [string, string][] => {
    const { tail = '' } = tailOf(command.exitCode, command);
    return tail === '' ? [] : [[command.id, tail]];
  });
  return {
    contents: new Map(read.contents.map((content) => [content.artifactId, parsed(content)])),
    tails: new Map(tails),
    change: diff && { base: diff.base, head: diff.head, files: diff.files },
    uncommittedFiles,
    unreadable,
    moved,
    refused,
    comments,
  };
}

/** Undefined for a file that is lost, too long to be read whole, or no JSON. */
function parsed({ content, truncated }: ArtifactContent): unknown {
  if (content === null || truncated) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
