import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tryAgents } from '../../../daemon/doctor/agents/tryAgents.ts';
import { PROFILES } from '../../../daemon/sessions/profiles/index.ts';
import { scripted } from '../../../daemon/sessions/profiles/scripted.ts';
import { newestTried } from '../../../daemon/sessions/profiles/untriedNote.ts';
import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import { loadConfig } from '../../../schemas/config/configLoad.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import type { AgentProgram } from '../../../schemas/names.ts';
import { SCRIPTED_AGENT } from '../../helpers/scriptedAgent.ts';
import { descendants } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

/** A home directory, and a PATH with what the doctor needs and the agents of the test. */
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'devflow-agents-'));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'config'));
  for (const name of ['node', 'sh', 'git', 'tmux', 'cat', 'mv', 'date', 'env', 'sleep', 'split']) {
    symlinkSync(findOnPath(name, process.env.PATH ?? '') ?? '', join(root, 'bin', name));
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The scripted agent under that name, with a misbehaviour. */
function given(name: AgentProgram, misbehaviour = '', release = newestTried(PROFILES[name])): void {
  const file = join(root, 'bin', name);
  const version = `[ "$1" = --version ] && { echo '${release} (${name})'; exit 0; }`;
  const run = `SCRIPTED='${misbehaviour}' exec node ${SCRIPTED_AGENT} "$@"`;
  writeFileSync(file, `#!/bin/sh\n${version}\n${run}\n`);
  chmodSync(file, 0o755);
}

async function tried(startMs = 30_000) {
  const env = {
    DEVFLOW_HOME: join(root, 'home'),
    HOME: root,
    PATH: join(root, 'bin'),
    TMUX_TMPDIR: root,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    SCRIPTED_CONFIG_DIR: join(root, 'config'),
    SCRIPTED_FIXTURES: root,
  };
  const profile = { ...scripted, timings: { ...scripted.timings, startMs } };
  const paths = resolvePaths(env);
  const profileOf = (id: AgentProgram) => ({ ...profile, tried: PROFILES[id].tried });
  const rows = await tryAgents({ config: loadConfig(env), paths, env, profileOf });
  // It leaves no program and no file.
  await until('its tmux server has ended', () => descendants(root).length === 0);
  const left = join(paths.stateDir, 'doctor');
  expect(existsSync(left) ? readdirSync(left) : ['scratch']).toEqual(['scratch']);
  return Object.fromEntries(rows.map(({ name, ...row }) => [name, row]));
}

describe('devflow doctor --agents', () => {
  it('reports version, sign and rule of a ready agent, and which agents are missing', async () => {
    given('claude');
    expect(await tried()).toEqual({
      codex: { status: 'pass', detail: 'not tested: no program named codex is on PATH', remediation: null },
      claude: {
        status: 'pass',
        detail: expect.stringMatching(/^2\.[\d.]+ \(claude\): READY after \d+\.\d s \(.+\); the .+ decides/),
        remediation: null,
      },
      gemini: { status: 'pass', detail: 'not tested: no program named gemini is on PATH', remediation: null },
      opencode: { status: 'pass', detail: 'not tested: no program named opencode is on PATH', remediation: null },
    });
  });

  it('tests agents in parallel, and one that ends at once does not affect the others', async () => {
    given('claude');
    given('codex', 'crash-start');
    given('gemini', 'trust');
    given('opencode', 'login-start', '9.9.9');
    expect(await tried()).toMatchObject({
      claude: { status: 'pass' },
      codex: {
        status: 'fail',
        detail: expect.stringContaining('it ended with status'),
        remediation: expect.stringContaining('Run codex by hand'),
      },
      gemini: {
        status: 'warn',
        detail: expect.stringMatching(/DIALOG after .*, trust: a dialog is on the screen/),
        remediation: expect.stringContaining(`${join('doctor', 'scratch')} && gemini`),
      },
      opencode: {
        status: 'warn',
        detail: expect.stringContaining(
          `; 9.9.9 was not tried with devflow; newest tried: ${newestTried(PROFILES.opencode)}`,
        ),
        remediation: 'Log in: run scripted-agent.',
      },
    });
  });

  it('times out for an agent that it does not recognize, and shows its last line', async () => {
    const file = join(root, 'bin', 'claude');
    writeFileSync(file, '#!/bin/sh\n[ "$1" = --version ] && exit 1\necho "Brand new look"\nexec sleep 2147483647\n');
    chmodSync(file, 0o755);
    expect((await tried(2500)).claude).toEqual({
      status: 'fail',
      detail: expect.stringMatching(/^unknown version: not recognized as READY .* Brand new look$/),
      remediation: expect.stringContaining('docs/backends.md'),
    });
  });

  it('ends an agent that ignores SIGHUP and SIGTERM', async () => {
    given('claude', 'ignore-hup,ignore-term,child', '9.9.9');
    expect((await tried()).claude).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/READY after .*; 9\.9\.9 was not tried with devflow; newest tried: 2\.[\d.]+$/),
      remediation: expect.stringContaining('devflow still starts it'),
    });
  });

  it('warns if no agent is installed', async () => {
    expect(await tried()).toMatchObject({ agents: { status: 'warn' } });
  });
});
