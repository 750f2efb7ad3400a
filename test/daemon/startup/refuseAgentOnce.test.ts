import { expect, test } from 'vitest';
import { refuseAgentOnce } from '../../../daemon/startup/refuseAgentOnce.ts';
import type { Method } from '../../../schemas/rpc/contract.ts';
import { METHODS } from '../../../schemas/rpc/methods/index.ts';

const HOME = '/nonexistent/devflow-guard';
const RUNS = `${HOME}/data/workspaces/r1`;
const stop = METHODS.find(({ name }) => name === 'daemon.stop') as Method;
const doctor = METHODS.find(({ name }) => name === 'daemon.doctor') as Method;
const lint = METHODS.find(({ name }) => name === 'template.lint') as Method;

test.each<[string, Record<string, string>, boolean]>([
  ['a person', {}, false],
  ['an agent', { DEVFLOW_AGENT: 'a', DEVFLOW_SESSION_DIR: `${RUNS}/sessions/a` }, true],
  ['an agent of an earlier version', { DEVFLOW_SESSION_DIR: `${RUNS}/sessions/a` }, true],
  ['an agent that hides its directory', { DEVFLOW_AGENT: 'a' }, true],
  ['an agent of another home', { DEVFLOW_AGENT: 'a', DEVFLOW_SESSION_DIR: '/elsewhere/r1/sessions/a' }, false],
  ['a command', { DEVFLOW_INTERNAL_COMMAND: `${RUNS}/commands/c` }, true],
  ['a command of another home', { DEVFLOW_INTERNAL_COMMAND: '/elsewhere/r1/commands/c' }, false],
])('without a daemon, %s is refused: %#', async (_, marks, isRefused) => {
  const env = { HOME: '/nonexistent', DEVFLOW_HOME: HOME, ...marks };
  await expect(refuseAgentOnce(env, lint, {})).resolves.toBeUndefined();
  const call = refuseAgentOnce(env, stop, {});
  if (isRefused) await expect(call).rejects.toMatchObject({ code: 'agent_may_not_decide' });
  else await expect(call).resolves.toBeUndefined();
});

test('an agent of another home may check this machine, and remove no data of its homes', async () => {
  const marks = { DEVFLOW_AGENT: 'a', DEVFLOW_SESSION_DIR: '/elsewhere/r1/sessions/a' };
  const env = { HOME: '/nonexistent', DEVFLOW_HOME: HOME, ...marks };
  await expect(refuseAgentOnce(env, doctor, { removeOrphanedData: false })).resolves.toBeUndefined();
  const call = refuseAgentOnce(env, doctor, { removeOrphanedData: true });
  await expect(call).rejects.toMatchObject({ code: 'agent_may_not_decide' });
});
