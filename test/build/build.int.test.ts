import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The build, on sources of which one does not compile and another takes longer than it. */
function givenBroken(): string {
  const root = mkdtempSync(join(tmpdir(), 'devflow-build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of [
    'build/build.ts',
    'build/buildPlugins.ts',
    'build/buildName.ts',
    'build/escapeNonAscii.ts',
    'schemas/hash.ts',
    'schemas/orElse.ts',
    'schemas/process/processes.ts',
    'schemas/rpc/contractFamilies.ts',
    'schemas/text/visible.ts',
  ])
    cpSync(join(ROOT, file), join(root, file));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const sources = {
    'package.json': '{"type":"module"}',
    'daemon/main.ts': 'this does not compile',
    'daemon/contractsMain.ts': '',
    'daemon/contractFamilies/one.ts': '',
    'tui/main.ts': "import 'typescript';",
    'tui/start.ts': '',
    'cli/main.ts': '',
    'cli/commands/one.ts': '',
    'schemas/one.ts': '',
    'tmux/one.ts': '',
  };
  for (const [name, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

it('a build that fails leaves nothing, nor what was left by those that were killed', () => {
  const root = givenBroken();
  const dead = spawnSync('true').pid;
  const living = `dist.${process.pid}`;
  for (const name of ['dist', `dist.${dead}`, `dist.${dead}.old`, living, 'dist.mine']) mkdirSync(join(root, name));
  const { status, stderr } = spawnSync(process.execPath, ['build/build.ts'], { cwd: root, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('daemon/main.ts:1');
  expect(
    readdirSync(root)
      .filter((name) => name.startsWith('dist'))
      .sort(),
  ).toEqual(['dist', living, 'dist.mine'].sort());
});
