import { expect, test } from 'vitest';
import { scripted } from '../../../../../daemon/sessions/profiles/scripted.ts';
import {
  agentEnvironment,
  environmentOutside,
  serverEnvironment,
} from '../../../../../daemon/sessions/tmux/server/agentEnv.ts';
import { createAgentServer } from '../../../../../daemon/sessions/tmux/server/agentServer.ts';
import { runSpawned } from '../../../../../tmux/server/spawnRunner.ts';
import { startServer } from '../../../../../tmux/server/startServer.ts';
import { useTmuxServer } from '../../../../helpers/tmuxServer.ts';

const tmux = useTmuxServer();

const secrets = {
  DATABASE_URL: 'postgres://ada:secret@db',
  GITHUB_TOKEN: 'secret',
  ANTHROPIC_API_KEY: 'secret',
  HTTPS_PROXY: 'http://ada:secret@proxy',
  DEVFLOW_DATABASE_URL: 'secret',
  npm_config__auth: 'secret',
};

test("hides the daemon's secrets from panes of devflow's server", async () => {
  const { server } = tmux();
  const own = { ...server, env: serverEnvironment({ ...server.env, ...secrets }) };
  const agents = createAgentServer(own);
  await agents.open();
  const shown = (await runSpawned(own, [['show-environment', '-g']])).join('\n');
  await agents.close();
  expect(shown).toContain('PATH=');
  expect(shown).not.toContain('secret');
});

test.each(['opening it', 'starting the daemon'])('%s cleans a server of an earlier version', async (how) => {
  const { server } = tmux();
  await startServer({ ...server, env: { ...server.env, ...secrets, 'ODD-NAME': 'kept' } });
  const own = { ...server, env: serverEnvironment({ ...server.env, ...secrets }) };
  const shown = async () => (await runSpawned(own, [['show-environment', '-g']])).join('\n');
  expect(await shown()).toContain('secret');
  const agents = createAgentServer(own);
  await (how === 'opening it' ? agents.open() : agents.cleanEnvironment());
  await agents.close();
  expect(await shown()).not.toContain('secret');
  expect(await shown()).toContain('PATH=');
});

test("neither cleans the person's server nor starts a stopped one", async () => {
  const { server } = tmux();
  const theirs = createAgentServer({ ...server, owner: 'theirs', env: {} });
  await createAgentServer(server).cleanEnvironment();
  await expect(runSpawned(server, [['show-environment', '-g']])).rejects.toMatchObject({ code: 'no_server' });
  await startServer({ ...server, env: { ...server.env, ...secrets } });
  await theirs.cleanEnvironment();
  expect((await runSpawned(server, [['show-environment', '-g']])).join('\n')).toContain('secret');
});

test('gives an agent only what its profile and the configuration name', () => {
  const profile = { ...scripted, passEnv: ['ANTHROPIC_API_KEY'] };
  const env = { ...secrets, PATH: '/bin', TERM: 'xterm' };
  const own = { PATH: '/w/.venv/bin:$PATH', PORT: '3000' };
  const session = { sessionDir: '/ws/s', sessionId: 'c0ffee', env: own };
  expect(agentEnvironment(env, profile, { GITHUB_TOKEN: 'its own' }, session)).toEqual({
    PATH: '/w/.venv/bin:/bin',
    PORT: '3000',
    HTTPS_PROXY: 'http://ada:secret@proxy',
    ANTHROPIC_API_KEY: 'secret',
    GITHUB_TOKEN: 'its own',
    DEVFLOW_SESSION_DIR: '/ws/s',
    DEVFLOW_AGENT: 'c0ffee',
  });
});

test('gives what starts a sandbox nothing that the repository named', () => {
  const env = { PATH: '/bin:relative:', HOME: '/home/ada', TMPDIR: '/tmp' };
  const own = { PATH: '/w/.venv/bin:$PATH', LD_PRELOAD: '/w/a.so', GITHUB_TOKEN: 'theirs', TMPDIR: '/w/tmp' };
  const session = { sessionDir: '/ws/s', sessionId: 'c0ffee', env: own };
  const inside = agentEnvironment(env, scripted, { GITHUB_TOKEN: 'its own' }, session);
  expect(inside).toMatchObject({ PATH: '/w/.venv/bin:/bin:relative:', LD_PRELOAD: '/w/a.so', TMPDIR: '/w/tmp' });
  expect(environmentOutside(inside, own, env)).toEqual({
    PATH: '/bin',
    HOME: '/home/ada',
    TMPDIR: '/tmp',
    GITHUB_TOKEN: 'its own',
    DEVFLOW_SESSION_DIR: '/ws/s',
    DEVFLOW_AGENT: 'c0ffee',
  });
});
