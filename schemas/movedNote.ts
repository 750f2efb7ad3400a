import { counted } from './counted.ts';

/** Says how the branch of an ended run differs from what is approved. */
export function movedNote(moved: { approved: string; hasApproved: boolean; commitCount: number }): string {
  const id = moved.approved.slice(0, 12);
  if (!moved.hasApproved) return `The branch no longer has the approved commit ${id}.`;
  return `${counted(moved.commitCount, 'commit')} of the branch came after the approval of ${id}.`;
}
