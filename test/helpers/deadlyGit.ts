import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '../../schemas/orElse.ts';
import type { TestDaemon } from './daemon.ts';

/** The real git, which notes each branch that devflow deletes, and kills the daemon once, after the nth. */
export function deadlyGit(daemon: TestDaemon, nth: number): { env: { PATH: string }; deleted(): string[] } {
  const bin = join(daemon.root, 'bin');
  const notes = join(daemon.root, 'deleted');
  mkdirSync(bin);
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
case " $* " in
*" update-ref --no-deref --stdin "*)
  tee -a "${notes}" | "${real}" "$@" || exit
  if [ "$(grep -c ^delete "${notes}")" = ${nth} ]; then kill -9 $PPID; fi
  exit 0 ;;
esac
exec "${real}" "$@"
`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const lines = () => orElse(() => readFileSync(notes, 'utf8'), '').split('\n');
  return {
    env: { PATH: `${bin}:${daemon.env.PATH}` },
    deleted: () => lines().flatMap((line) => /^delete refs\/heads\/(\S+) /.exec(line)?.[1] ?? []),
  };
}
