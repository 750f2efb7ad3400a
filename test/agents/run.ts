import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import { foundAt } from './programs/found.ts';
import { installPrograms } from './programs/install.ts';
import { PROGRAMS } from './programs/pins.ts';

/**
 * `npm run test:agents`: the real programs, offline, with a model of the tests. If the programs cannot be installed, it
 * prints one line and passes: a machine without a network is no defect of the code.
 */
async function main(args: readonly string[]): Promise<number> {
  const installed = await installPrograms(PROGRAMS).catch((error: Error) => error);
  if (installed instanceof Error) {
    console.log(`test:agents: skipped, ${installed.message}`);
    return 0;
  }
  const found = Object.fromEntries(PROGRAMS.map((program) => [foundAt(program), installed[program]]));
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'agents', ...args], {
    cwd: packageRoot(),
    stdio: 'inherit',
    env: { ...process.env, ...found },
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

process.exitCode = await main(process.argv.slice(2));
