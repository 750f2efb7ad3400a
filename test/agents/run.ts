import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/paths.ts';
import { installProgram } from './programs/install.ts';
import type { Program } from './programs/pins.ts';

/**
 * `npm run test:agents`: the real programs, offline against a model of ours. Where they cannot be had it says so in one
 * line and is content: a machine without a network is no fault of the code.
 */
async function main(args: readonly string[]): Promise<number> {
  const found: Partial<Record<Program, string>> = {};
  for (const program of ['claude', 'codex'] as const) {
    try {
      found[program] = await installProgram(program);
    } catch (error) {
      console.log(`test:agents: skipped, ${(error as Error).message}`);
      return 0;
    }
  }
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'agents', ...args], {
    cwd: packageRoot(),
    stdio: 'inherit',
    env: { ...process.env, DEVFLOW_TEST_CLAUDE: found.claude, DEVFLOW_TEST_CODEX: found.codex },
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

process.exitCode = await main(process.argv.slice(2));
