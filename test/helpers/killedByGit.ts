import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';

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
  /** Files, if it dies in the middle. */
  half?: string;
  gone?: string;
}

/** Runs a program of the tests, which is killed at one call of git. `root` is a directory of the test's own. */
export function runUntilKilled(root: string, program: string, args: string[], kill: Kill): void {
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'git'), DEADLY, { mode: 0o755 });
  const file = join(bin, 'program.mjs');
  writeFileSync(file, inOneFile(program));
  const child = spawnSync(process.execPath, [file, ...args], {
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      REAL_GIT: execFileSync('which', ['git'], { encoding: 'utf8' }).trim(),
      KILL_AT: kill.at,
      KILL_WHEN: kill.when,
      KILL_HALF: kill.half ?? '',
      KILL_GONE: kill.gone ?? '',
    },
  });
  expect(child.signal, String(child.stderr)).toBe('SIGKILL');
}

const built = new Map<string, string>();

/** A process takes longer to import the sources than to do the work. */
function inOneFile(program: string): string {
  const known = built.get(program);
  if (known !== undefined) return known;
  const root = JSON.stringify(packageRoot());
  const { outputFiles } = buildSync({
    entryPoints: [program],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    // Where the package looks for its own files; and what libraries of CommonJS require.
    define: { 'import.meta.dirname': root },
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(${root} + '/');` },
  });
  const text = outputFiles[0]?.text ?? '';
  built.set(program, text);
  return text;
}
