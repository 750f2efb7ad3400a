import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Given } from './given.ts';
import type { CHILDREN } from './mergeChild.ts';

/**
 * The real git, except that it kills its parent at one call: before the call, in the middle of its files, or after it. In
 * the middle, KILL_HALF is a file of which git wrote only the beginning, and KILL_GONE one that it has removed.
 */
const DEADLY = `#!/bin/sh
case " $* " in
*" $KILL_AT "*)
  if [ "$KILL_WHEN" != before ]; then "$REAL_GIT" "$@"; fi
  if [ "$KILL_WHEN" = midst ]; then
    rm -f "$KILL_GONE"
    head -c 3 "$KILL_HALF" >"$KILL_HALF.new"; rm "$KILL_HALF"; mv "$KILL_HALF.new" "$KILL_HALF"
  fi
  kill -9 $PPID
  exit 1 ;;
esac
exec "$REAL_GIT" "$@"
`;

export interface Kill {
  /** Words of git's command. */
  at: string;
  when: 'before' | 'midst' | 'after';
  /** Files in the worktree. */
  half?: string;
  gone?: string;
}

/** Calls a function of the merge queue in a process that is killed at one call of git. */
export function callAndDie<F extends keyof typeof CHILDREN>(
  { repo }: Given,
  name: F,
  input: Parameters<(typeof CHILDREN)[F]>[0],
  { at, when, half = '', gone = '' }: Kill,
): void {
  const bin = join(repo.root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'git'), DEADLY, { mode: 0o755 });
  const program = join(import.meta.dirname, 'mergeChild.ts');
  const args = ['--experimental-strip-types', '--no-warnings', program, name, JSON.stringify(input)];
  const child = spawnSync(process.execPath, args, {
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      REAL_GIT: execFileSync('which', ['git'], { encoding: 'utf8' }).trim(),
      KILL_AT: at,
      KILL_WHEN: when,
      KILL_HALF: half,
      KILL_GONE: gone,
    },
  });
  expect(child.signal, String(child.stderr)).toBe('SIGKILL');
}
