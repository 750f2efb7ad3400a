import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A daemon that is to be killed. It ends itself before its n-th call that changes the worktree or what devflow keeps about it, or
 * in the middle of a copy. If there are fewer calls, it writes what it did to a file, and ends itself then.
 */
const [input, killAt, result] = process.argv.slice(2) as [string, string, string];
let left = Number(killAt);

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function counted<T extends object>(module: T, names: readonly (keyof T)[]): void {
  for (const name of names) {
    const call = module[name] as (...args: unknown[]) => unknown;
    const counting = (...args: unknown[]) => {
      if (args.some((arg) => /\.placing|\/ws\/run\/main|\/worktrees\/main\/devflow/.test(String(arg)))) left -= 1;
      if (left === 0) die();
      return call.apply(module, args);
    };
    Object.assign(module, { [name]: counting });
  }
}

// What is written goes to a new name first, so only these change anything.
counted(fs, ['renameSync', 'symlinkSync']);
counted(fsPromises, ['rename', 'rm']);
syncBuiltinESMExports();

const { openPrivateGit } = await import('../../../daemon/repository/privateGit/privateGit.ts');
const { setUpDirectly } = await import('../../../daemon/setup/setUpDirectly.ts');
const { place, ...rest } = JSON.parse(input);
const end = await setUpDirectly({
  ...rest,
  privateGit: await openPrivateGit(place),
  now: () => new Date(),
  onProgress: () => {
    if (killAt === 'progress') die();
  },
});
fs.writeFileSync(result, JSON.stringify(end));
die();
