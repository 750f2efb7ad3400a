import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROFILES } from '../../daemon/sessions/profiles/index.ts';
import { newestTried, untriedNote } from '../../daemon/sessions/profiles/untriedNote.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { FOUND_OLDEST_AT, foundAt } from './programs/found.ts';
import { cacheDirectory, installPrograms, newestPublished } from './programs/install.ts';
import { OLDEST, PROGRAMS, type Release } from './programs/pins.ts';

const NEWEST = '--newest';
/** Brings the programs, and tests nothing. */
const INSTALL = '--install';

/**
 * `npm run test:agents`: the real programs, offline, with a model of the tests. It runs the newest tried version of each
 * program, and some tests with the oldest Claude Code as well; with `--newest`, the newest versions that npm has. If the
 * programs cannot be installed, it prints one line and passes: a machine without a network is no defect of the code.
 */
async function main(args: readonly string[]): Promise<number> {
  const asksNpm = args.includes(NEWEST);
  const found = await findPrograms(asksNpm).catch((error: Error) => error);
  if (found instanceof Error) {
    console.log(`test:agents: skipped, ${found.message}`);
    return 0;
  }
  if (args.includes(INSTALL)) return 0;
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  // Not in /tmp, which devflow's sandbox replaces, and not in /dev/shm: the sandbox of Codex replaces /dev.
  const scratch = mkdtempSync(join(dirname(cacheDirectory()), 't-'));
  // As /tmp itself is: the database server of root runs as another user, who must pass through.
  chmodSync(scratch, 0o1777);
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--project', 'agents*', ...args.filter((arg) => arg !== NEWEST)],
    { cwd: packageRoot(), stdio: 'inherit', env: { ...process.env, ...found, TMPDIR: scratch } },
  );
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (!process.env.DEVFLOW_TEST_KEEP) rmSync(scratch, { recursive: true, force: true });
  return code ?? 1;
}

/** The variables that name the programs. */
async function findPrograms(asksNpm: boolean): Promise<Record<string, string | undefined>> {
  const newest = await Promise.all(
    PROGRAMS.map(async (program): Promise<Release> => {
      if (!asksNpm) return { program, version: newestTried(PROFILES[program]) };
      const version = await newestPublished(program);
      console.log(
        `test:agents: ${program}: ${untriedNote(PROFILES[program], version) ?? `${version}, which was tried`}`,
      );
      return { program, version };
    }),
  );
  const oldest = !asksNpm && PROGRAMS.includes(OLDEST.program) ? [OLDEST] : [];
  const paths = await installPrograms([...newest, ...oldest]);
  const names = [...PROGRAMS.map(foundAt), ...oldest.map(() => FOUND_OLDEST_AT)];
  return Object.fromEntries(names.map((name, at) => [name, paths[at]]));
}

process.exitCode = await main(process.argv.slice(2));
