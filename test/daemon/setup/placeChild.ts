import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A daemon that is to be killed. It ends itself before its n-th call that changes the worktree or what devflow keeps about it, or
 * in the middle of a copy. The last argument is a file that says that there were fewer calls.
 */
const [place, lists, killAt, survived] = process.argv.slice(2) as [string, string, string, string];
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

counted(fs, ['renameSync', 'symlinkSync', 'mkdirSync', 'rmSync', 'writeFileSync']);
counted(fsPromises, ['rename', 'mkdir', 'rm', 'rmdir', 'writeFile']);
syncBuiltinESMExports();

const { openPrivateGit } = await import('../../../daemon/repository/privateGit/privateGit.ts');
const { placeFiles } = await import('../../../daemon/setup/placeFiles.ts');
await placeFiles({
  privateGit: await openPrivateGit(JSON.parse(place)),
  setup: JSON.parse(lists),
  onProgress: () => {
    if (killAt === 'progress') die();
  },
});
fs.appendFileSync(survived, 'yes');
die();
