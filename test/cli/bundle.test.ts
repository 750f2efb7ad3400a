import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * `settings` is loaded by `tui` where a setting may be about the theme, and by `attach` for a pane of another host. `mcp` serves a
 * program for hours.
 */
const SLOW = ['settings.ts', 'mcp.ts'];
/** These cost more than the rest of a command's start; the daemon has them. */
const HEAVY = /node_modules\/(zod|yaml|ajv|pg|drizzle-orm|pino|execa|chokidar)\//;

test('bundles nothing heavy and nothing of the daemon into the CLI', async () => {
  const files = readdirSync(join(ROOT, 'cli', 'commands'), { recursive: true, encoding: 'utf8' });
  const commands = files
    .filter((file) => file.endsWith('.ts') && !SLOW.includes(file))
    .map((file) => join('cli', 'commands', file));
  const inputs = await sourcesOf(['cli/main.ts', ...commands]);
  expect(inputs.length).toBeGreaterThan(50);
  expect(inputs.filter((path) => HEAVY.test(path) || /^(daemon|tui)\//.test(path))).toEqual([]);
});

test('loads nothing that talks to a daemon to print the completion script', async () => {
  const inputs = await sourcesOf(['cli/commands/completion/script.ts']);
  expect(inputs.filter((path) => /^cli\/(?!commands\/)|^schemas\/(?:rpc|states|gates)\//.test(path))).toEqual([]);
});

async function sourcesOf(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    outdir: 'unused',
    external: SLOW.map((file) => `*/commands/${file}`),
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}
