import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import { trySignal } from '../../schemas/process/processes.ts';
import { fromPackages, installPackages } from './packages.ts';

/**
 * `npm run mutate`: changes the rules one place at a time, and says which changes no test notices. With folders or files, only
 * these; results of the others stay in the report.
 */
async function main(args: readonly string[]): Promise<number> {
  await installPackages();
  const places = args.filter((arg) => !arg.startsWith('-'));
  const flags = args.filter((arg) => arg.startsWith('-'));
  const mutate = places.length > 0 ? ['--mutate', places.map(asGlob).join(',')] : [];
  const config = join(import.meta.dirname, 'stryker.config.ts');
  return run([fromPackages('@stryker-mutator/core/bin/stryker.js'), 'run', config, ...mutate, ...flags]);
}

const asGlob = (place: string) => (/\.ts(:|$)/.test(place) ? place : `${place.replace(/\/+$/, '')}/**/*.ts`);

function run(args: readonly string[]): Promise<number> {
  // A terminal signals the whole group. Without a group of its own, Stryker would get each signal twice.
  const child = spawn(process.execPath, args, { cwd: packageRoot(), stdio: 'inherit', detached: true });
  const signalAll = (signal: NodeJS.Signals) => child.pid !== undefined && trySignal(-child.pid, signal);
  // At the first one it keeps the results so far, at the second it exits at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => signalAll(signal));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      // Its workers do not end by themselves.
      signalAll('SIGKILL');
      resolve(code ?? 1);
    });
  });
}

process.exitCode = await main(process.argv.slice(2));
