import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { editText, keepText } from '../../../cli/input/editor.ts';
import { openInEditor } from '../../../tui/effects/openInEditor.ts';
import { runShell } from '../../../tui/effects/shell.ts';

let root = '';
let log = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "devflow '$(x)-")));
  log = join(root, 'log');
  // Says what it was given and where, and writes over it as hard as it can.
  const script = ['#!/bin/sh', `{ pwd; printf '%s\\n' "$@"; } >>'${log.replaceAll("'", "'\\''")}'`];
  for (const file of ['editor', 'shell']) {
    writeFileSync(join(root, file), script.join('\n'));
    chmodSync(join(root, file), 0o700);
  }
  writeFileSync(
    join(root, 'writer'),
    ['#!/bin/sh', 'for file; do :; done', 'chmod u+w "$file"; echo changed >"$file"'].join('\n'),
  );
  chmodSync(join(root, 'writer'), 0o700);
  mkdirSync(join(root, 'lane', 'src'), { recursive: true });
  vi.stubEnv('VISUAL', '');
  vi.stubEnv('EDITOR', `"${root.replaceAll('$', '\\$')}/editor" --wait`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const logged = () => readFileSync(log, 'utf8').trimEnd().split('\n');
const lane = () => join(root, 'lane');

test('an editor with arguments gets a hostile name as one argument, in the worktree', async () => {
  const name = 'src/-rf $(touch owned) `id`; #{x}.ts';
  writeFileSync(join(lane(), name), 'x');
  const said = await openInEditor({ path: join(lane(), name), as: 'file', root: lane() });
  expect(said).toBeUndefined();
  expect(logged()).toEqual([lane(), '--wait', join(lane(), name)]);
});

test('opens a file at its line in an editor that devflow knows', async () => {
  writeFileSync(join(lane(), 'src/a.ts'), 'x');
  renameSync(join(root, 'editor'), join(root, 'nvim'));
  vi.stubEnv('EDITOR', `"${root.replaceAll('$', '\\$')}/nvim" -p`);
  await openInEditor({ path: join(lane(), 'src/a.ts'), as: 'file', root: lane(), line: 7 });
  expect(logged()).toEqual([lane(), '-p', '+7', join(lane(), 'src/a.ts')]);
});

test('refuses links, pipes, and paths outside or gone, and says why', async () => {
  writeFileSync(join(root, 'secret'), 'x');
  symlinkSync(join(root, 'secret'), join(lane(), 'link'));
  symlinkSync(root, join(lane(), 'up'));
  execFileSync('mkfifo', [join(lane(), 'pipe')]);
  for (const name of ['link', 'up/secret', 'pipe', 'gone', '../secret']) {
    await expect(openInEditor({ path: join(lane(), name), as: 'file', root: lane() }), name).rejects.toThrow(
      'cannot be opened',
    );
  }
  await expect(openInEditor({ path: join(root, 'gone'), as: 'directory' })).rejects.toThrow('the worktree is gone');
  expect(() => readFileSync(log)).toThrow();
});

test('opens an artifact as a temporary copy: the recorded file never changes', async () => {
  const artifact = join(root, 'spec.json');
  writeFileSync(artifact, '{"a":1}', { mode: 0o400 });
  expect(await openInEditor({ path: artifact, as: 'copy' })).toBeUndefined();
  const [, , copy = ''] = logged();
  expect(copy).toMatch(/spec\.json$/);
  expect(copy).not.toBe(artifact);
  expect(() => statSync(copy)).toThrow();
  vi.stubEnv('EDITOR', `"${root.replaceAll('$', '\\$')}/writer"`);
  expect(await openInEditor({ path: artifact, as: 'copy' })).toContain('Your changes are dropped');
  expect(readFileSync(artifact, 'utf8')).toBe('{"a":1}');
});

test('falls back to vi and says so, and reports an editor that is not installed', async () => {
  vi.stubEnv('EDITOR', '');
  vi.stubEnv('PATH', `${root}:${process.env.PATH}`);
  writeFileSync(join(root, 'vi'), '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  expect(await openInEditor({ path: lane(), as: 'directory' })).toBe(
    'Neither VISUAL nor EDITOR is set, so vi was used.',
  );
  vi.stubEnv('EDITOR', 'no-such-editor --wait');
  await expect(openInEditor({ path: lane(), as: 'directory' })).rejects.toThrow(
    /no-such-editor --wait\) is not installed/,
  );
  await expect(editText('x', '.md')).rejects.toThrow('is not installed');
});

test('starts the shell in the worktree, and none if the worktree is gone', async () => {
  vi.stubEnv('SHELL', join(root, 'shell'));
  await runShell({ path: lane(), label: 'run 1a2b3c4d' });
  expect(logged()).toEqual([lane()]);
  await expect(runShell({ path: join(root, 'gone'), label: 'run 1a2b3c4d' })).rejects.toThrow('the worktree is gone');
  vi.stubEnv('SHELL', '/no/such/shell');
  await expect(runShell({ path: lane(), label: 'run 1a2b3c4d' })).rejects.toThrow('did not start');
});

test('ignores a blank EDITOR, so that no script of an agent runs instead', async () => {
  const script = join(root, 'lane', 'src', 'run.sh');
  writeFileSync(script, `#!/bin/sh\ntouch "${join(root, 'lane', 'ran')}"\n`);
  chmodSync(script, 0o700);
  vi.stubEnv('EDITOR', '  ');
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin', 'vi'), '#!/bin/sh\n');
  chmodSync(join(root, 'bin', 'vi'), 0o700);
  vi.stubEnv('PATH', `${join(root, 'bin')}:${process.env.PATH}`);
  const said = await openInEditor({ path: script, as: 'file', root: join(root, 'lane') });
  expect(said).toBe('Neither VISUAL nor EDITOR is set, so vi was used.');
  expect(statSync(join(root, 'lane', 'ran'), { throwIfNoEntry: false })).toBeUndefined();
});

test('a text that is kept is a file of the person alone', async () => {
  vi.stubEnv('TMPDIR', root);
  const path = await keepText('title: mine\n', 'document.yaml');
  expect(path.startsWith(root)).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('title: mine\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
