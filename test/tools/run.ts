import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import { installPackages } from './install.ts';

/**
 * `npm run test:tools`: what devflow reads of the real backtesting.py. If pip cannot bring it, this prints one line and passes: a
 * machine without Python or a network is no defect of the code.
 */
async function main(args: readonly string[]): Promise<number> {
  const packages = await installPackages().catch((error: Error) => error);
  if (packages instanceof Error) {
    console.log(`test:tools: skipped, ${packages.message}`);
    return 0;
  }
  // Only to bring the packages.
  if (args.includes('--install')) return 0;
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'tools', ...args], {
    cwd: packageRoot(),
    stdio: 'inherit',
    env: { ...process.env, DEVFLOW_TEST_TOOLS: packages },
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

process.exitCode = await main(process.argv.slice(2));
