import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../../schemas/files/removeTree.ts'));
/** Root may do more than the owner of a directory. */
const AS_OWNER =
  process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-dac_override,-dac_read_search', '--'] : [];

test.runIf(process.platform === 'linux')('removes directories that nobody may change, and follows no link', () => {
  const root = mkdtempSync(join(tmpdir(), 'tree-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const module = join(root, 'tree/mod/v1');
  mkdirSync(module, { recursive: true });
  mkdirSync(join(root, 'other'), { mode: 0o500 });
  writeFileSync(join(module, 'a.go'), '');
  symlinkSync(join(root, 'other'), join(module, 'link'));
  const odd = Buffer.concat([Buffer.from(`${module}/`), Buffer.from([0xff])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from('/file')]), '');
  for (const path of [odd, module, join(module, '..')]) chmodSync(path, 0o500);
  const script = `await (await import(${JSON.stringify(MODULE.href)})).removeTree(${JSON.stringify(join(root, 'tree'))})`;
  const node = [process.execPath, '--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', script];
  const [program = '', ...args] = [...AS_OWNER, ...node];
  execFileSync(program, args, { stdio: 'pipe' });
  expect([join(root, 'tree'), join(root, 'other')].map((path) => existsSync(path))).toEqual([false, true]);
});
