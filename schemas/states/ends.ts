import type { EndsCount } from '../rpc/views/ends.ts';
import { counted } from '../text/phrases.ts';
import { sizeOf } from './setup.ts';

/** `3 worktrees and 5 branches, 12 MB`; undefined if nothing is left. */
export function endsSentence({ worktrees, branches, bytes, atLeast }: EndsCount): string | undefined {
  const kinds = [
    worktrees > 0 && counted(worktrees, 'worktree'),
    branches > 0 && counted(branches, 'branch', 'branches'),
  ].filter(Boolean);
  if (kinds.length === 0) return undefined;
  const size = worktrees === 0 ? '' : `, ${atLeast ? 'at least ' : ''}${sizeOf(bytes)}`;
  return `${kinds.join(' and ')}${size}`;
}
