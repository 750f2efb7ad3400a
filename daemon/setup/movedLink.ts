import { dirname, isAbsolute, join, relative } from 'node:path';
import { latin1Of } from '../repository/git/pathBytes.ts';

/** Something moves from a checkout to a worktree. Both are canonical paths. */
export interface Move {
  checkout: string;
  worktree: string;
}

/**
 * The target of a link at `path` after its move. A target in the checkout becomes the same one in the worktree, and one outside
 * stays the same place. All paths but those of `move` have one character per byte. Pure.
 */
export function movedLink(target: string, path: string, move: Move): string {
  const [checkout, worktree] = [latin1Of(move.checkout), latin1Of(move.worktree)];
  if (!isAbsolute(target)) {
    const named = join(checkout, dirname(path), target);
    return isBelow(checkout, named) ? target : named;
  }
  return isBelow(checkout, target) ? worktree + target.slice(checkout.length) : target;
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
