import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';

const PROGRAM = 'build/checkBuild.cjs';
const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');

/** A clone with nothing but this program, and with these packages. */
function givenClone(...packages: string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-clone-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'build'));
  copyFileSync(join(packageRoot(), PROGRAM), join(root, PROGRAM));
  for (const name of packages) mkdirSync(join(root, 'node_modules', name), { recursive: true });
  return root;
}

/** The check in a clone, on a Node of that version and platform. */
function check(root: string, version: string, platform = 'linux') {
  const facts = { platform, arch: 'x64', version: `v${version}`, versions: { ...process.versions, node: version } };
  const script = `
    for (const [name, value] of Object.entries(${JSON.stringify(facts)})) Object.defineProperty(process, name, { value });
    require(${JSON.stringify(join(root, PROGRAM))});`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return { status, stderr };
}

test.each(['20.20.2', '22.18.0', '24.0.0'])('a clone without packages says to run npm ci first: Node %s', (version) => {
  const root = givenClone();
  const stderr = `devflow: it cannot be built: its packages are not installed. Run npm ci in ${root} first, without --omit=dev.\n`;
  expect(check(root, version)).toEqual({ status: 1, stderr });
});

test('an old Node is no fault of a platform for which npm has a newer one', () => {
  const root = givenClone('esbuild');
  const brought = /needs Node 22\.18 or newer; this is v20\.20\.2\. Run npm ci, which brings one/;
  expect(check(root, '20.20.2').stderr).toMatch(brought);
  expect(check(root, '20.20.2', 'freebsd').stderr).toContain('npm has none for freebsd-x64');
  expect(check(root, '22.18.0')).toEqual({ status: 0, stderr: '' });
});

test('runs before each build, and knows the platforms of the pinned Node', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(scripts).toMatchObject({ prepare: 'npm run --silent build', prebuild: `node ${PROGRAM}` });
  const pinned = Object.keys(JSON.parse(read('pinnedNode/package.json')).optionalDependencies);
  for (const name of pinned) expect(read(PROGRAM)).toContain(`'${name.replace(/^node-(bin-)?/, '')}'`);
});
