import { expect, test } from 'vitest';
import { refuseAgent } from '../../../cli/daemon/refuseAgent.ts';
import { DevflowError, type ErrorCode } from '../../../schemas/errors.ts';
import { openRpcDocument } from '../../../schemas/rpc/methods/openrpc.ts';

/** A daemon that describes its methods, and knows the agent or says why not. */
function daemon(reason?: ErrorCode) {
  const call = async (method: string) => {
    if (method === 'rpc.discover') return openRpcDocument('1.2.3');
    if (reason) throw new DevflowError(reason, 'no such session');
    return {};
  };
  return { call } as unknown as Parameters<typeof refuseAgent>[1];
}
/** On macOS the daemon sees no environments. */
const agent = { env: { DEVFLOW_AGENT: 'a1' }, platform: 'darwin' } as const;
const code = expect.objectContaining({ code: 'agent_may_not_decide' });

test('refuses an agent what the daemon says only a person may call', async () => {
  await expect(refuseAgent(agent, daemon(), 'approval.decide', {})).rejects.toEqual(code);
  await expect(refuseAgent(agent, daemon(), 'state.reset', { apply: true })).rejects.toEqual(code);
  await expect(refuseAgent(agent, daemon(), 'state.reset', {})).resolves.toBeUndefined();
  await expect(refuseAgent(agent, daemon(), 'run.apply', { dryRun: true })).resolves.toBeUndefined();
  await expect(refuseAgent(agent, daemon(), 'run.progress', {})).resolves.toBeUndefined();
});

test('refuses an agent that only its directory shows', async () => {
  const earlier = { ...agent, env: { DEVFLOW_SESSION_DIR: '/workspaces/r1/sessions/a1' } };
  await expect(refuseAgent(earlier, daemon(), 'approval.decide', {})).rejects.toEqual(code);
});

test('passes persons and agents of another daemon, but nobody that the daemon could not look up', async () => {
  await expect(refuseAgent({ ...agent, env: {} }, daemon(), 'approval.decide', {})).resolves.toBeUndefined();
  await expect(refuseAgent({ ...agent, platform: 'linux' }, daemon(), 'approval.decide', {})).resolves.toBeUndefined();
  await expect(refuseAgent(agent, daemon('not_found'), 'approval.decide', {})).resolves.toBeUndefined();
  await expect(refuseAgent(agent, daemon('db_unreachable'), 'approval.decide', {})).rejects.toMatchObject({
    code: 'db_unreachable',
  });
});

test('refuses a command that devflow runs', async () => {
  const env = { DEVFLOW_INTERNAL_COMMAND: '/workspaces/0b1f3a52-3c5e-4d7a-8f10-1a2b3c4d5e6f/commands/verify-1' };
  const command = { env, platform: 'darwin' } as const;
  await expect(refuseAgent(command, daemon(), 'approval.decide', {})).rejects.toEqual(code);
  await expect(refuseAgent(command, daemon('not_found'), 'approval.decide', {})).resolves.toBeUndefined();
});
