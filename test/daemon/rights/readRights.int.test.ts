// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are values of settings files.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { grantRights } from '../../../daemon/rights/grantRights.ts';
import { readRights } from '../../../daemon/rights/readRights.ts';
import { rightsSubject } from '../../../daemon/rights/rightsSubject.ts';
import type { AgentSettings } from '../../../schemas/repository/agentSettings.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';

const GUARD = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh';
const SETTINGS = JSON.stringify({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: GUARD }] }] },
  permissions: { deny: ['Bash(npm publish:*)'] },
});
const SERVERS = JSON.stringify({
  mcpServers: {
    db: {
      command: 'node',
      args: ['tools/db.js'],
      env: { DATABASE_URL: '${DATABASE_URL}', API_KEY: 'literal', X: '1' },
    },
    other: { command: 'other' },
  },
});
const FILES = {
  '.claude/settings.json': SETTINGS,
  '.claude/hooks/guard.sh': '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\n',
  '.claude/hooks/lib.sh': 'true\n',
  '.mcp.json': SERVERS,
  'tools/db.js': '',
  'tools/lib/a.js': '',
  'src/main.js': '',
};
const CLAUDE: AgentSettings = { claude: { settings: true, mcp: ['db'] } };

function given(files: Record<string, string> = FILES) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-rights-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const repo = makeRepo(join(home, 'repo'), isolatedEnv(join(home, 'home')));
  const commit = (message = 'more') => {
    repo.git('add', '-A');
    repo.git('commit', '-qm', message);
    return repo.git('rev-parse', 'HEAD');
  };
  repo.write(files);
  if (files['.claude/hooks/guard.sh'] !== undefined) chmodSync(join(repo.dir, '.claude/hooks/guard.sh'), 0o755);
  const head = commit();
  const read = (settings: AgentSettings = CLAUDE, at = head) =>
    readRights({ repoPath: repo.dir, commit: at, settings });
  return { home, repo, commit, head, read };
}

test('reads from a commit what agents get, and says it in words', async () => {
  const { repo, read } = given();
  // Nothing of the checkout counts.
  repo.write({ '.claude/settings.json': '{', '.claude/hooks/guard.sh': 'planted' });
  const found = await read();
  expect([...found.files.keys()].sort()).toEqual(
    Object.keys(FILES)
      .filter((path) => path !== 'src/main.js')
      .sort(),
  );
  expect(found.files.get('.claude/hooks/guard.sh')).toMatchObject({ executable: true });
  expect(rightsSubject(found)).toEqual({
    hash: found.rights.hash,
    allows: [
      { program: 'claude', kind: 'hook', text: `at PreToolUse of Bash: ${GUARD}`, file: '.claude/settings.json' },
      { program: 'claude', kind: 'rule', text: 'deny Bash(npm publish:*)', file: '.claude/settings.json' },
      {
        program: 'claude',
        kind: 'server',
        text: 'db: node tools/db.js, with DATABASE_URL=${DATABASE_URL}, API_KEY=…, X=1; for agents of roles that run commands',
        file: '.mcp.json',
      },
    ],
    frozen: ['.claude/hooks/guard.sh', '.claude/hooks/lib.sh', 'tools/db.js', 'tools/lib/a.js'],
    leftOut: [],
    faults: [],
  });
});

test('gives another hash for each changed byte, mode and setting', async () => {
  const { repo, commit, read, head } = given();
  const { hash } = (await read()).rights;
  const hashes = [hash];
  for (const [path, text] of Object.entries(FILES)) {
    if (path.startsWith('src/')) continue;
    repo.write({ [path]: path.endsWith('.json') ? ` ${text}` : `${text}#` });
    hashes.push((await read(CLAUDE, commit())).rights.hash);
  }
  chmodSync(join(repo.dir, '.claude/hooks/lib.sh'), 0o755);
  hashes.push((await read(CLAUDE, commit())).rights.hash);
  hashes.push((await read({ claude: { settings: true, mcpForAll: ['db'] } }, head)).rights.hash);
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('gives the same hash for the same rights, whatever else changes', async () => {
  const { repo, commit, read } = given();
  const { hash } = (await read()).rights;
  repo.write({ 'src/main.js': 'changed', 'README.md': 'new' });
  const at = commit();
  expect((await read(CLAUDE, at)).rights.hash).toBe(hash);
  expect(
    (await read({ claude: { mcp: ['db', 'db'], settings: true, mcpForAll: [] }, codex: {} }, at)).rights.hash,
  ).toBe(hash);
});

test('says which file it cannot take, and what mends it', async () => {
  const { repo, commit, read } = given();
  const faultsOf = async (path: string, make: () => void) => {
    rmSync(join(repo.dir, path), { recursive: true, force: true });
    make();
    const { faults } = await read(CLAUDE, commit(path));
    repo.write({ [path]: FILES[path as keyof typeof FILES] });
    return faults.map(({ file, message }) => `${file}: ${message}`);
  };
  const at = (path: string) => join(repo.dir, path);
  const settings = '.claude/settings.json';
  expect(await faultsOf(settings, () => symlinkSync('/etc/passwd', at(settings)))).toEqual([
    `${settings}: this is a link or a submodule`,
  ]);
  expect(await faultsOf(settings, () => writeFileSync(at(settings), Buffer.from([0x7b, 0xff])))).toEqual([
    `${settings}: the file is not UTF-8 text`,
  ]);
  expect(await faultsOf(settings, () => writeFileSync(at(settings), ' '.repeat(300 * 1024)))).toEqual([
    `${settings}: the file is larger than 262144 bytes, or all of them than 8388608`,
  ]);
  rmSync(at(settings));
  repo.write({ [settings]: SETTINGS });
  expect(await faultsOf('tools/db.js', () => symlinkSync('lib/a.js', at('tools/db.js')))).toEqual([
    'tools/db.js: a hook or server runs it, and it is a link',
  ]);
  rmSync(at('tools/db.js'));
  repo.write({ 'tools/db.js': '' });
  for (let nth = 0; nth < 301; nth += 1) repo.write({ [`tools/more/${nth}`]: '' });
  expect((await read(CLAUDE, commit())).faults).toMatchObject([
    { file: 'tools/db.js', remedy: 'Move tools/db.js into a directory of its own.' },
  ]);
});

test('leaves a hook out that names a file in a way it cannot read', async () => {
  const command = '"$CLAUDE_PROJECT_DIR/".claude/hooks/guard.sh';
  const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
  const { read } = given({ ...FILES, '.claude/settings.json': JSON.stringify({ hooks }) });
  const { leftOut, programs } = await read();
  expect(programs.get('claude')?.hooks).toEqual([]);
  expect(leftOut).toMatchObject([
    { what: `Stop: ${command}`, why: expect.stringContaining('name it ./.claude/hooks/guard.sh') },
  ]);
});

test.each([
  'cd tools && node db.js',
  'cd "$CLAUDE_PROJECT_DIR/tools"; exec node ./db.js',
  'pushd tools >/dev/null && node db.js',
  'cd "$(git rev-parse --show-toplevel)"/tools && node db.js',
  'node tools//db.js',
  'node ./tools/./db.js',
])('leaves a hook out that would run a script of the worktree by another way: %s', async (command) => {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
  const { read } = given({ ...FILES, '.claude/settings.json': JSON.stringify({ hooks }) });
  const { leftOut, programs } = await read();
  expect(programs.get('claude')?.hooks).toEqual([]);
  expect(leftOut).toMatchObject([{ why: expect.stringContaining('name it ./tools/db.js') }]);
});

test.each(['cd tools && npm test', 'cd /opt/tools && node db.js', 'curl http://localhost//tools/x', 'cd src && ls'])(
  'gives a hook that enters a directory and runs no script of it: %s',
  async (command) => {
    const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
    const { read } = given({ ...FILES, '.claude/settings.json': JSON.stringify({ hooks }) });
    expect((await read()).programs.get('claude')?.hooks).toHaveLength(1);
  },
);

test('freezes what a server runs from a directory of its own, or by a variable', async () => {
  const config = `[mcp_servers.db]\ncommand = "node"\nargs = ["db.js"]\ncwd = "tools"\nenv = { SCRIPT = "./tools/lib/a.js" }\n`;
  const { read, home, repo, head } = given({ ...FILES, '.codex/config.toml': config });
  const settings = { codex: { mcp: ['db'] } };
  const { rights: allowed, files } = await read(settings);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['tools/db.js', 'tools/lib/a.js']));
  const directory = join(home, 'rights');
  const asked = { runId: 'r', repoPath: repo.dir, baseCommit: head, allowed, directory };
  const { servers } = await grantRights({ ...asked, program: 'codex', mode: 'execute' });
  const env = { SCRIPT: `${directory}/tools/lib/a.js` };
  expect(servers).toMatchObject([{ entry: { args: [`${directory}/tools/db.js`], cwd: 'tools', env } }]);
});

test('takes no server that names a script inside of a variable', async () => {
  const entry = { command: 'npx', args: ['x'], env: { NODE_OPTIONS: '--require ./tools/db.js' } };
  const { read } = given({ ...FILES, '.mcp.json': JSON.stringify({ mcpServers: { db: entry } }) });
  expect((await read()).faults).toMatchObject([{ message: expect.stringContaining('names tools/db.js inside') }]);
});

async function granted() {
  const all = given();
  const { rights: allowed } = await all.read();
  const directory = join(all.home, 'run', 'rights');
  const grant = (more = {}) =>
    grantRights({
      runId: 'r',
      repoPath: all.repo.dir,
      baseCommit: all.head,
      allowed,
      directory,
      program: 'claude',
      mode: 'execute',
      ...more,
    });
  return { ...all, directory, grant, allowed };
}

test('grants frozen files in place of those of the worktree', async () => {
  const { directory, grant } = await granted();
  const { hooks, servers } = await grant();
  expect(hooks).toMatchObject([{ command: `'${directory}/.claude/hooks/guard.sh'` }]);
  expect(servers).toMatchObject([{ entry: { command: 'node', args: [`${directory}/tools/db.js`] } }]);
  expect(readFileSync(join(directory, '.claude/hooks/guard.sh'), 'utf8')).toBe(FILES['.claude/hooks/guard.sh']);
});

test('undoes whatever somebody changed in the frozen files', async () => {
  const { home, directory, grant } = await granted();
  await grant();
  const at = (path: string) => join(directory, path);
  const outside = join(home, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), '');
  rmSync(at('.claude/hooks/guard.sh'));
  writeFileSync(at('.claude/hooks/guard.sh'), 'planted');
  writeFileSync(at('.claude/hooks/json.py'), 'planted');
  rmSync(at('tools'), { recursive: true });
  symlinkSync(outside, at('tools'));
  await grant();
  expect(readFileSync(at('.claude/hooks/guard.sh'), 'utf8')).toBe(FILES['.claude/hooks/guard.sh']);
  expect(existsSync(at('.claude/hooks/json.py'))).toBe(false);
  expect(readdirSync(at('tools')).sort()).toEqual(['db.js', 'lib']);
  expect(readdirSync(outside)).toEqual(['kept']);
  rmSync(directory, { recursive: true });
  symlinkSync(outside, directory);
  await grant();
  expect(readdirSync(outside)).toEqual(['kept']);
  expect(existsSync(at('tools/db.js'))).toBe(true);
});

test('grants nothing if the commit gives something else than was allowed', async () => {
  const { grant, allowed, repo, commit } = await granted();
  repo.write({ '.claude/hooks/lib.sh': 'planted' });
  await expect(grant({ baseCommit: commit() })).rejects.toMatchObject({ code: 'agent_rights_changed' });
  await expect(grant({ allowed: { ...allowed, hash: '0' } })).rejects.toMatchObject({ code: 'agent_rights_changed' });
});

test('grants agents that only read or edit nothing that runs', async () => {
  const { grant, repo, read, home, head } = await granted();
  for (const mode of ['read', 'edit'] as const)
    expect(await grant({ mode })).toMatchObject({
      hooks: [],
      rules: [{ decision: 'deny', text: 'Bash(npm publish:*)' }],
      servers: [],
    });
  const { rights: allowed } = await read({ claude: { mcpForAll: ['db'] } });
  const asked = { runId: 'r', repoPath: repo.dir, baseCommit: head, allowed, directory: join(home, 'other') };
  expect((await grantRights({ ...asked, program: 'claude', mode: 'read' })).servers).toHaveLength(1);
  expect((await grantRights({ ...asked, program: 'codex', mode: 'execute' })).servers).toEqual([]);
});
