import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskDiagnosis } from '../../../daemon/doctor/checks/disk.ts';
import { runDoctor } from '../../../daemon/doctor/doctor.ts';
import { type Check, pass } from '../../../daemon/doctor/probe/check.ts';
import { runDoctorStandalone } from '../../../daemon/doctor/standalone.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { startTimeOf } from '../../../tmux/process/processes.ts';
import { useMachine } from './givenMachine.ts';

const machine = useMachine();
const says = (text: string) => `echo '${text}'`;

function givenGoodMachine() {
  const here = machine();
  here.has('npm', says('11.2.0'));
  here.has('tmux', says('tmux 3.5a'));
  here.has('git', says('git version 2.47.1'));
  here.has('perl', ':');
  here.has('codex', 'exit 1');
  for (const agent of ['claude', 'gemini', 'opencode']) here.has(agent, 'exit 1');
  return here;
}

/** Every file and directory with its size, mode and times, so that any change shows. */
function treeOf(root: string): string[] {
  const paths = ['.', ...(readdirSync(root, { recursive: true }) as string[])].sort();
  return paths.map((path) => {
    const { size, mode, mtimeMs, ctimeMs, ino } = lstatSync(join(root, path));
    return [path, size, mode, mtimeMs, ctimeMs, ino].join(' ');
  });
}

describe('the doctor', () => {
  it('runs all checks in order and passes on a good machine', async () => {
    const results = Object.values(await givenGoodMachine().doctor());
    expect(results.map(({ name }) => name)).toEqual([
      'node',
      'package-manager',
      'tmux',
      'git',
      'docker',
      'database',
      'migrations',
      'clock',
      'temporal',
      'workspace',
      'devflow-directory',
      'contracts',
      'config',
      'repository-settings',
      'codex',
      'claude',
      'gemini',
      'opencode',
      'agents',
      'disk',
      'orphaned-data',
      'ended-runs',
      'webhook',
      'who-decides',
      'sandbox',
      'tmux-plugin',
    ]);
    const ofTheMachine = ['disk', 'orphaned-data', 'sandbox'];
    expect(results.filter(({ name, status }) => status !== 'pass' && !ofTheMachine.includes(name))).toEqual([]);
    expect(results.every(({ status, remediation }) => (status === 'pass') === (remediation === null))).toBe(true);
  });

  it('says how to try devflow without an agent', async () => {
    const here = machine();
    const { agents } = await here.doctor();
    expect(agents).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/^no agent is usable: none of codex/),
    });
    expect(agents?.remediation).toMatch(/devflow demo, .* --backend <role>=fake/);
  });

  it('warns about no absent agent while another one works, unless the configuration names its file', async () => {
    const here = machine();
    here.has('codex', 'exit 1');
    expect(await here.doctor()).toMatchObject({
      codex: { status: 'pass', detail: expect.stringContaining('/codex ') },
      claude: {
        status: 'pass',
        detail: 'not needed, codex can play all roles: no program named claude is on PATH',
        remediation: null,
      },
      gemini: { status: 'pass' },
      agents: { status: 'pass', detail: 'codex can play roles' },
    });
    const env = { ...here.env, DEVFLOW_CLAUDE_BINARY: '/nowhere/claude' };
    expect((await here.doctor({ env })).claude).toMatchObject({
      status: 'warn',
      detail: '/nowhere/claude is not an executable file',
    });
  });

  it('fails for what is missing on PATH and warns for what is optional', async () => {
    const found = await machine().doctor();
    expect(found).toMatchObject({
      'package-manager': { status: 'warn' },
      tmux: { status: 'fail', detail: 'tmux is not on PATH' },
      git: { status: 'fail', detail: 'git is not on PATH' },
      docker: { status: 'pass', detail: 'not needed: the database mode is embedded' },
      database: { status: 'pass', detail: expect.stringContaining('not made yet') },
      codex: { status: 'warn', detail: 'no program named codex is on PATH' },
      claude: { status: 'warn' },
      gemini: { status: 'warn', detail: 'no program named gemini is on PATH' },
      opencode: { status: 'warn', detail: 'no program named opencode is on PATH' },
      'who-decides': { status: 'fail', detail: expect.stringContaining('refuses all decisions') },
    });
  });

  it.each<[string, object]>([
    [
      'https://hooks.slack.com/services/T0/B0/secret',
      { status: 'pass', detail: expect.stringMatching(/^hooks\.slack\.com gets news of decision, .+, signed$/) },
    ],
    ['http://127.0.0.1:8099/', { status: 'pass' }],
    ['http://[::1]:8099/', { status: 'pass' }],
    [
      'http://hooks.example.org/secret',
      { status: 'warn', detail: expect.stringMatching(/^hooks\.example\.org .+ not encrypted$/) },
    ],
  ])('names the host of a webhook alone: %s', async (url, expected) => {
    const here = machine();
    const env = { ...here.env, DEVFLOW_NOTIFY_WEBHOOK_URL: url, DEVFLOW_NOTIFY_WEBHOOK_SECRET: 'a-long-random-text' };
    const { webhook } = await here.doctor({ env });
    expect(webhook).toMatchObject(expected);
    expect(JSON.stringify(webhook)).not.toContain('secret');
  });

  it.each([false, true])('changes nothing (strict: %s)', async (strict) => {
    const here = givenGoodMachine();
    const root = join(here.home, '..');
    const empty = treeOf(root);
    const answers = [await runDoctorStandalone({ strict, listOrphans: false }, here.env)];
    expect(treeOf(root)).toEqual(empty);

    mkdirSync(join(here.home, 'data/workspaces/run/main'), { recursive: true });
    writeFileSync(join(here.home, 'config.yaml'), 'logLevel: info\n');
    const used = treeOf(root);
    answers.push(await runDoctorStandalone({ strict, listOrphans: false }, here.env));
    expect(treeOf(root)).toEqual(used);
    const workspaces = answers.map((results) => results.find(({ name }) => name === 'workspace')?.detail);
    expect(workspaces).toEqual([expect.stringMatching(/is not made yet/), expect.stringMatching(/is writable$/)]);
  });

  it('reports a check that throws as failed', async () => {
    const thrower: Check = {
      name: 'thrower',
      run() {
        throw new Error('out of cheese');
      },
    };
    const fine: Check = { name: 'fine', run: () => pass('ok') };
    const subject = { paths: resolvePaths(machine().env), strict: false };
    expect(await runDoctor(subject, [thrower, fine])).toEqual([
      expect.objectContaining({ name: 'thrower', status: 'fail', detail: expect.stringContaining('out of cheese') }),
      { name: 'fine', status: 'pass', detail: 'ok', remediation: null },
    ]);
  });
});

describe('versions', () => {
  it.each([
    ['22.1.0', 'warn', 'warn'],
    ['22.18.0', 'pass', 'pass'],
    ['24.0.1', 'warn', 'fail'],
    ['21.9.9', 'fail', 'fail'],
  ])('Node %s: %s, with strict: %s', async (nodeVersion, loose, strict) => {
    expect((await machine().doctor({ nodeVersion })).node?.status).toBe(loose);
    expect((await machine().doctor({ nodeVersion, strict: true })).node?.status).toBe(strict);
  });

  it.each([
    ['npm', '9.8.1', 'warn', 'fail'],
    ['npm', '10.0.0', 'pass', 'fail'],
    ['pnpm', '9.0.0', 'pass', 'pass'],
    ['pnpm', '8.15.0', 'warn', 'fail'],
  ])('%s %s: %s, with strict: %s', async (program, version, loose, strict) => {
    machine().has(program, says(version));
    expect((await machine().doctor())['package-manager']?.status).toBe(loose);
    expect((await machine().doctor({ strict: true }))['package-manager']?.status).toBe(strict);
  });

  it.each([
    ['tmux 3.2a', 'fail'],
    ['tmux 3.3', 'warn'],
    ['tmux 3.4', 'warn'],
    ['tmux 3.5a', 'pass'],
    ['tmux next-3.6', 'pass'],
    ['tmux master', 'warn'],
  ])('%s: %s', async (version, status) => {
    machine().has('tmux', says(version));
    expect((await machine().doctor()).tmux).toMatchObject({ status, detail: expect.stringContaining(version) });
  });

  it('reports a tmux server whose socket is gone', async () => {
    const here = machine();
    here.has('tmux', says('tmux 3.5a'));
    const { stateDir } = resolvePaths(here.env);
    mkdirSync(stateDir, { recursive: true });
    const record = (socketPath: string) => {
      const running = { pid: process.pid, processStart: startTimeOf(process.pid), socketPath };
      writeFileSync(join(stateDir, 'tmux.conf.server'), JSON.stringify(running));
    };
    record(here.home);
    expect((await here.doctor()).tmux?.status).toBe('pass');
    record(join(here.home, 'gone'));
    expect((await here.doctor()).tmux).toEqual({
      name: 'tmux',
      status: 'warn',
      detail: `tmux 3.5a; the tmux server of the agents (process ${process.pid}) runs, but its socket is gone`,
      remediation:
        'Run devflow down, then devflow up. devflow restores the socket when it next needs an agent, and the agents keep running.',
    });
  });

  it.each([
    ['git version 2.37.9', 'fail', 'fail'],
    ['git version 2.38.0', 'warn', 'fail'],
    ['git version 2.40.1 (Apple Git-143)', 'pass', 'pass'],
  ])('%s: %s, with strict: %s', async (version, loose, strict) => {
    machine().has('git', says(version));
    expect((await machine().doctor()).git?.status).toBe(loose);
    expect((await machine().doctor({ strict: true })).git?.status).toBe(strict);
  });

  it.each([
    ['@devflow_loaded', '/clone', 'pass', 'loaded in this tmux server, from /clone'],
    ['@devflow_own', '1', 'pass', "not needed: this tmux server is devflow's own"],
    ['@other', '1', 'warn', 'not loaded in this tmux server'],
  ])('reports the tmux plugin of a server with %s %s', async (option, value, status, detail) => {
    const here = machine();
    here.has('tmux', `case $* in *"-S /s show-options -gqv ${option}") echo '${value}' ;; -V) echo tmux 3.5a ;; esac`);
    const env = { ...here.env, TMUX: '/s,1,0' };
    expect((await here.doctor({ env }))['tmux-plugin']).toMatchObject({ status, detail });
    expect((await here.doctor())['tmux-plugin']?.status).toBe('pass');
  });

  it('names the tmux server of agents, and faults of a user server', async () => {
    const here = machine();
    const tmuxSays = (running: string) => {
      here.has(
        'tmux',
        `case "$*" in -V) echo 'tmux 3.4';; *pid*) ${running};; *focus*) echo on;; *) echo latest;; esac`,
      );
    };
    tmuxSays('echo 7');
    const own = /^tmux 3.4 works, .* agents run on a server of devflow's own \(tmux -L devflow-[0-9a-f]{8}\)$/;
    expect((await here.doctor()).tmux).toMatchObject({ status: 'warn', detail: expect.stringMatching(own) });
    const env = { ...here.env, DEVFLOW_TMUX_SERVER: 'user', DEVFLOW_TMUX_SOCKET: 'work' };
    expect((await here.doctor({ env })).tmux).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('your server (tmux -L work) has focus-events on'),
    });
    tmuxSays('exit 1');
    expect((await here.doctor({ env })).tmux).toMatchObject({
      status: 'fail',
      detail: 'tmux 3.4; your server (tmux -L work) is not running',
      remediation: 'Start tmux, or set tmux.server: own.',
    });
  });

  it('repeats the error of a broken program', async () => {
    machine().has('tmux', 'echo "libevent: not found" >&2; exit 127');
    expect((await machine().doctor()).tmux).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('libevent: not found'),
    });
  });
});

describe('docker and the compose database', () => {
  const compose = () => ({ ...machine().env, DEVFLOW_DB: 'compose' });

  it('fails without docker in mode compose and with strict', async () => {
    expect(await machine().doctor({ env: compose() })).toMatchObject({
      docker: { status: 'fail', detail: 'docker is not on PATH' },
      database: { status: 'fail', remediation: expect.stringContaining('--db embedded') },
      migrations: { status: 'warn' },
    });
    expect((await machine().doctor({ strict: true })).docker?.status).toBe('fail');
  });

  it('repeats why the Docker daemon does not answer', async () => {
    machine().has('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
    expect((await machine().doctor({ env: compose() })).docker).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('Cannot connect to the Docker daemon'),
    });
  });

  it('passes for a stopped container, except with strict', async () => {
    machine().has('docker', '[ "$1" = info ] && echo 27.1; exit 0');
    expect(await machine().doctor({ env: compose() })).toMatchObject({
      docker: { status: 'pass', detail: 'Docker 27.1' },
      database: { status: 'pass', detail: expect.stringContaining('not started') },
      migrations: { status: 'pass' },
    });
    expect((await machine().doctor({ env: compose(), strict: true })).database?.status).toBe('fail');
  });

  it('fails if the container runs but does not answer', async () => {
    machine().has('docker', '[ "$1" = info ] && echo 27.1 || echo 0123abcd');
    const env = { ...compose(), DEVFLOW_DATABASE_URL: 'postgres://devflow@127.0.0.1:1/devflow' };
    expect((await machine().doctor({ env })).database).toMatchObject({ status: 'fail' });
  });
});

describe('the configuration', () => {
  it('names the wrong key, and does not run checks that need the configuration', async () => {
    const here = givenGoodMachine();
    mkdirSync(here.home);
    writeFileSync(join(here.home, 'config.yaml'), 'tmuxx: 1\n');
    const found = await here.doctor();
    expect(found.config).toMatchObject({ status: 'fail', detail: expect.stringContaining('tmuxx') });
    for (const name of ['database', 'migrations', 'workspace', 'disk', 'docker']) {
      expect(found[name]).toMatchObject({ status: 'warn', detail: expect.stringContaining('not checked') });
    }
    expect(found.tmux?.status).toBe('pass');
  });

  it('warns about DATABASE_URL without DEVFLOW_, ignores it, and never shows its value', async () => {
    const env = { ...machine().env, DATABASE_URL: 'postgres://me:secret@elsewhere/theirs' };
    const { config, database } = await machine().doctor({ env });
    expect(config).toMatchObject({ status: 'warn', detail: expect.stringContaining('lack DEVFLOW_: DATABASE_URL') });
    expect(JSON.stringify(config)).not.toContain('secret');
    expect(database?.detail).toContain('embedded');
  });

  it('passes for a disabled backend', async () => {
    const env = { ...machine().env, DEVFLOW_CODEX_ENABLED: 'false' };
    expect((await machine().doctor({ env })).codex).toMatchObject({ status: 'pass' });
  });
});

describe('the workspace', () => {
  it('fails if it cannot be made', async () => {
    const here = machine();
    writeFileSync(join(here.home, '..', 'file'), '');
    const env = { ...here.env, DEVFLOW_WORKSPACE_ROOT: join(here.home, '..', 'file', 'below') };
    expect(await here.doctor({ env })).toMatchObject({
      workspace: { status: 'fail', detail: expect.stringContaining('ENOTDIR') },
    });
  });

  it.skipIf(process.getuid?.() === 0)('fails if it is not writable', async () => {
    const here = machine();
    const closed = join(here.home, '..', 'closed');
    mkdirSync(closed, { mode: 0o500 });
    const env = { ...here.env, DEVFLOW_WORKSPACE_ROOT: closed };
    expect((await here.doctor({ env })).workspace).toMatchObject({ status: 'fail' });
    chmodSync(closed, 0o700);
  });

  it('warns about little free space', () => {
    const status = (gigabytes: number, strict = false) => diskDiagnosis(gigabytes * 1e9, '/w', strict).status;
    expect([1.9, 2, 4.9, 5].map((size) => status(size))).toEqual(['fail', 'warn', 'warn', 'pass']);
    expect([1.9, 2, 9.9, 10].map((size) => status(size, true))).toEqual(['fail', 'warn', 'warn', 'pass']);
  });
});
