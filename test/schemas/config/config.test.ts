import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../schemas/config/configLoad.ts';
import { HostId, hostIdOf } from '../../../schemas/config/hostSettings.ts';
import { Settings, VARIABLES } from '../../../schemas/config/settings.ts';
import { schemaAt } from '../../../schemas/definitions/schemaAt.ts';
import { NewsKind } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-config-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(home, name), text);
const load = (env: Record<string, string> = {}) => loadConfig({ DEVFLOW_HOME: home, PATH: '', ...env });

function refusal(env: Record<string, string> = {}): string {
  try {
    load(env);
  } catch (error) {
    expect(error).toBeInstanceOf(DevflowError);
    expect((error as DevflowError).code).toBe('config_invalid');
    return (error as DevflowError).message;
  }
  throw new Error('it was not refused');
}

describe('sources', () => {
  test('defaults', () => {
    const config = load();
    expect(config).toMatchObject({
      workspaceRoot: realpathSync(join(home, 'data/workspaces')),
      logLevel: 'info',
      maxConcurrentRuns: 4,
      database: { mode: 'embedded' },
      recovery: { maxHungMs: 1_200_000, artifactTimeoutMs: 1_800_000, approvalTimeoutMs: null },
      git: { filters: [] },
      fake: { delayMs: 50 },
    });
    expect(config.sources.logLevel).toEqual({ from: 'default', key: 'logLevel' });
    expect(config.tmux.socketName).toMatch(/^devflow-[0-9a-f]{8}$/);
  });

  test('process environment over .env.local over .env over config.yaml', () => {
    const level = () => load().logLevel;
    write('config.yaml', 'logLevel: error\n');
    expect(level()).toBe('error');
    write('.env', 'LOG_LEVEL=warn\n');
    expect(level()).toBe('warn');
    write('.env.local', 'LOG_LEVEL="debug" # loud\n');
    expect(level()).toBe('debug');
    const config = load({ DEVFLOW_LOG_LEVEL: 'trace' });
    expect(config.logLevel).toBe('trace');
    expect(config.sources.logLevel).toEqual({ from: 'environment', key: 'DEVFLOW_LOG_LEVEL' });
  });

  test('reports, but does not use, a name without the prefix', () => {
    const config = load({ DATABASE_URL: 'postgres://other/project' });
    expect(config.database).toEqual({ mode: 'embedded' });
    expect(config.unprefixed).toEqual(['DATABASE_URL']);
  });

  test('every flat name reaches a setting', () => {
    for (const { path } of VARIABLES.values()) expect(schemaAt(Settings, path.split('.'))).toBeDefined();
    const config = load({
      DEVFLOW_ARTIFACT_TIMEOUT_MS: '7',
      DEVFLOW_APPROVAL_TIMEOUT_MS: '8',
      DEVFLOW_CODEX_ENABLED: 'false',
      DEVFLOW_DB: 'compose',
    });
    expect(config.recovery).toMatchObject({ artifactTimeoutMs: 7, approvalTimeoutMs: 8 });
    expect(config.backends.codex).toMatchObject({ enabled: false, available: false });
    expect(config.database.mode).toBe('compose');
  });

  test('upper-case names and empty sections are allowed in config.yaml', () => {
    write(
      'config.yaml',
      'MAX_CONCURRENT_RUNS: 2\ntmux:\nbackends:\n  claude:\n    args: [-x]\n    env: {A_URL: http://x}\n',
    );
    const config = load();
    expect(config.maxConcurrentRuns).toBe(2);
    expect(config.backends.claude).toMatchObject({ enabled: true, args: ['-x'], env: { A_URL: 'http://x' } });
  });

  test('freezes the result deeply', () => {
    const config = load();
    expect(() => Object.assign(config.recovery, { maxHungMs: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.backends.codex.env, { A: '1' })).toThrow(TypeError);
  });

  test('ignores reserved DEVFLOW_ names', () => {
    expect(load({ DEVFLOW_FAULT: 'x', DEVFLOW_RUN_ID: 'x' }).logLevel).toBe('info');
  });
});

describe('the database', () => {
  test('a URL alone means external', () => {
    expect(load({ DEVFLOW_DATABASE_URL: 'postgres://h/d' }).database).toEqual({
      mode: 'external',
      url: 'postgres://h/d',
    });
  });

  test('a given mode stays', () => {
    write('config.yaml', 'database: {mode: embedded}\n');
    expect(load({ DEVFLOW_DATABASE_URL: 'postgres://h/d' }).database.mode).toBe('embedded');
  });

  test('refuses external without a URL', () => {
    expect(refusal({ DEVFLOW_DB: 'external' })).toBe(
      'the process environment: DEVFLOW_DB is external, but DATABASE_URL is not set.',
    );
  });
});

describe('several hosts', () => {
  const URL = { DEVFLOW_DATABASE_URL: 'postgres://h/d' };

  test('is off by default, and the database knows the id of this machine', () => {
    const config = load();
    expect(config).toMatchObject({ engine: 'local', hosts: {}, temporal: { address: '127.0.0.1:7233' } });
    expect(config.temporal.host).toBeUndefined();
  });

  test('needs a database that all hosts reach', () => {
    expect(refusal({ DEVFLOW_ENGINE: 'temporal' })).toBe(
      'the process environment: DEVFLOW_ENGINE is temporal, which needs database.mode: external, but that is embedded.',
    );
    expect(load({ ...URL, DEVFLOW_ENGINE: 'temporal' }).engine).toBe('temporal');
  });

  test('takes an ssh destination as a word or as words', () => {
    write('config.yaml', 'hosts: {big: {ssh: ann@big.example}, far: {ssh: [-p, "2222", far]}}\n');
    expect(load().hosts).toEqual({ big: { ssh: 'ann@big.example' }, far: { ssh: ['-p', '2222', 'far'] } });
  });

  test.each(['-oProxyCommand=x', 'a b', '', '"a\\tb"'])('refuses the destination %j', (ssh) => {
    write('config.yaml', `hosts: {big: {ssh: ${ssh === '' ? '""' : ssh}}}\n`);
    expect(refusal()).toMatch(/hosts is .*, but must be a map of host ids/);
  });

  test.each([
    ['build.example', 'build.example'],
    ['Anns MacBook', 'Anns-MacBook'],
    ['-x', 'x'],
    ['…', 'localhost'],
    ['a'.repeat(80), 'a'.repeat(63)],
  ])('makes of the host name %s the id %s', (name, id) => {
    expect(hostIdOf(name)).toBe(id);
    expect(HostId.parse(id)).toBe(id);
  });

  test.each([
    ['apiKey: hidden', 'temporal.apiKey', 'set temporal.tls.enabled: true, or remove temporal.apiKey.'],
    ['tls: {caFile: /ca.pem}', 'temporal.tls.caFile', 'set temporal.tls.enabled: true, or remove temporal.tls.caFile.'],
    [
      'tls: {serverName: t}',
      'temporal.tls.serverName',
      'set temporal.tls.enabled: true, or remove temporal.tls.serverName.',
    ],
    ['tls: {enabled: true, certFile: /c}', 'temporal.tls.certFile', 'a certificate needs its key.'],
    ['tls: {enabled: true, keyFile: /k}', 'temporal.tls.keyFile', 'a certificate needs its key.'],
  ])('refuses %s, which nothing would use', (settings, key, advice) => {
    write('config.yaml', `temporal: {${settings}}\n`);
    const sentence = refusal({ ...URL, DEVFLOW_ENGINE: 'temporal' });
    expect(sentence).toContain(`config.yaml: ${key} is set, but temporal.tls.`);
    expect(sentence.endsWith(advice)).toBe(true);
    expect(sentence).not.toContain('hidden');
    // Without the engine nobody uses any of the section.
    expect(load(URL).engine).toBe('local');
  });

  test('takes a key and certificates with an encrypted connection', () => {
    write('config.yaml', 'temporal: {apiKey: k, tls: {enabled: true, certFile: /c, keyFile: /k, caFile: /a}}\n');
    expect(load({ ...URL, DEVFLOW_ENGINE: 'temporal' }).temporal).toMatchObject({ apiKey: 'k', tls: { caFile: '/a' } });
  });

  test('shows no API key', () => {
    write('config.yaml', 'temporal: {apiKey: 12345}\n');
    expect(refusal()).not.toContain('12345');
  });
});

describe('the webhook', () => {
  test('is off, and gets all kinds of news once it has an address', () => {
    expect(load().notify.webhook).toEqual({ kinds: NewsKind.options });
    write('config.yaml', 'notify: {webhook: {kinds: [decision]}}\n');
    write('.env.local', 'NOTIFY_WEBHOOK_URL=https://example.org/x\nNOTIFY_WEBHOOK_SECRET=a-long-random-text\n');
    expect(load().notify.webhook).toEqual({
      url: 'https://example.org/x',
      secret: 'a-long-random-text',
      kinds: ['decision'],
    });
  });

  test('shows neither its address nor its secret when they are wrong', () => {
    write('config.yaml', 'notify: {webhook: {url: "https://ann:hunter2@example.org/T0"}}\n');
    expect(refusal()).toContain('notify.webhook.url is not of the right form, but must be a URL that begins with http');
    expect(refusal()).not.toMatch(/hunter2|T0/);
    write('config.yaml', 'notify: {webhook: {url: "https://example.org/", secret: hunter2}}\n');
    expect(refusal()).toContain('notify.webhook.secret is not of the right form');
    expect(refusal()).not.toContain('hunter2');
  });
});

describe('the tmux server', () => {
  test('is an own one by default, and each home has its own', () => {
    expect(load().tmux).toEqual({ server: 'own', socketName: expect.stringMatching(/^devflow-[0-9a-f]{8}$/) });
  });

  test('of the user is the one that plain tmux uses, unless a name or a path is set', () => {
    expect(load({ DEVFLOW_TMUX_SERVER: 'user' }).tmux).toEqual({ server: 'user', socketName: 'default' });
    write('config.yaml', 'tmux: {server: user, socketName: work}\n');
    expect(load().tmux).toEqual({ server: 'user', socketName: 'work' });
    write('config.yaml', 'tmux: {server: user, socketPath: /run/t}\n');
    expect(load().tmux).toMatchObject({ server: 'user', socketPath: '/run/t' });
  });

  test.each([
    [
      'tmux: {socketPath: /run/t}',
      "tmux.socketPath is set, but devflow's own tmux server has a name (tmux.socketName); set tmux.server: user if the path is your server's.",
    ],
    ['tmux: {server: user, socketPath: /run/t, socketName: a}', 'both name a tmux server; keep one of them.'],
    [
      'tmux: {socketName: default}',
      'tmux.socketName is default, which is the name of your own tmux server; choose another name, or set tmux.server: user.',
    ],
    ['tmux: {server: mine}', `tmux.server is "mine", but must be own (a tmux server of devflow's) or user (yours).`],
    ['tmux: {sever: user}', 'unknown key tmux.sever; the nearest known one is server.'],
    [
      'tmux: {socketName: /run/t}',
      'tmux.socketName is "/run/t", but must be up to 40 letters, digits, . _ and - (a path belongs in tmux.socketPath).',
    ],
  ])('%s is refused', (text, sentence) => {
    write('config.yaml', `${text}\n`);
    expect(refusal()).toContain(sentence);
  });
});

describe('refusals name file, key and what is meant', () => {
  test.each([
    ['.env', 'LOGLEVEL=info\n', 'unknown key LOGLEVEL; the nearest known one is LOG_LEVEL.'],
    ['.env.local', 'DATABSE_URL=x\n', 'unknown key DATABSE_URL; the nearest known one is DATABASE_URL.'],
    ['config.yaml', 'logLevl: info\n', 'unknown key logLevl; the nearest known one is logLevel.'],
    ['config.yaml', 'backends:\n  cluade: {}\n', 'unknown key backends.cluade; the nearest known one is claude.'],
    ['config.yaml', 'recovery:\n  maxHung: 1\n', 'unknown key recovery.maxHung; the nearest known one is maxHungMs.'],
    ['config.yaml', 'tmux: 5\n', 'tmux must be a map of keys.'],
    [
      '.env',
      'LOG_LEVEL=loud\n',
      'LOG_LEVEL is "loud", but must be one of trace, debug, info, warn, error, fatal, silent.',
    ],
    ['.env', 'MAX_CONCURRENT_RUNS=many\n', 'MAX_CONCURRENT_RUNS is "many", but must be a whole number above 0.'],
    ['config.yaml', 'backends: {codex: {args: [1]}}', 'backends.codex.args is [1], but must be a list of strings.'],
    ['config.yaml', 'workspaceRoot: here\n', 'workspaceRoot is "here", but must be an absolute path.'],
  ])('%s: %s', (file, text, sentence) => {
    write(file, text);
    expect(refusal()).toBe(`${join(home, file)}: ${sentence}`);
  });

  test('in the process environment', () => {
    expect(refusal({ DEVFLOW_LOG_LEVL: 'info' })).toBe(
      'the process environment: unknown key DEVFLOW_LOG_LEVL; the nearest known one is DEVFLOW_LOG_LEVEL.',
    );
  });

  test('malformed YAML with its line', () => {
    write('config.yaml', 'logLevel: info\ntmux: [\n');
    expect(refusal()).toMatch(/config\.yaml:3:1: this is not YAML/);
  });

  test('hides a password', () => {
    const message = refusal({ DEVFLOW_DATABASE_URL: 'mysql://user:secret@h/d' });
    expect(message).toContain('mysql://user:***@h/d');
    expect(message).not.toContain('secret');
  });
});

describe('backends', () => {
  test('a binary on PATH makes a backend available, and only an executable file counts', () => {
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\n');
    writeFileSync(join(bin, 'codex'), '#!/bin/sh\n');
    chmodSync(join(bin, 'claude'), 0o755);
    const { backends } = load({ PATH: bin });
    expect(backends.claude).toMatchObject({ available: true, binaryPath: join(bin, 'claude') });
    expect(backends.codex).toMatchObject({
      enabled: true,
      available: false,
      reason: 'no program named codex is on PATH',
    });
    expect(backends.fake).toMatchObject({ enabled: true, available: true });
  });

  test('a binaryPath that is no program is a reason', () => {
    write('config.yaml', 'backends: {codex: {binaryPath: /nowhere/codex}}\n');
    expect(load().backends.codex.reason).toBe('/nowhere/codex is not an executable file');
  });
});

test('creates WORKSPACE_ROOT and resolves its links', () => {
  mkdirSync(join(home, 'real'));
  symlinkSync(join(home, 'real'), join(home, 'link'));
  expect(load({ DEVFLOW_WORKSPACE_ROOT: join(home, 'link/ws') }).workspaceRoot).toBe(
    realpathSync(join(home, 'real/ws')),
  );
});

test('reports workspace_permissions for a WORKSPACE_ROOT that it cannot create', () => {
  write('file', '');
  expect(() => load({ DEVFLOW_WORKSPACE_ROOT: join(home, 'file/ws') })).toThrow(
    expect.objectContaining({ code: 'workspace_permissions' }),
  );
});
