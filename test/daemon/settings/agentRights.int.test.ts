import { expect, test } from 'vitest';
import { checkSettings } from '../../../daemon/settings/checkSettings.ts';
import { givenSettings } from './givenSettings.ts';

const HOOKS = { Stop: [{ hooks: [{ type: 'command', command: 'sh .claude/hooks/end.sh' }] }] };
const FILES = {
  'devflow.yaml': 'agents: { claude: { settings: true, mcp: [db] } }\n',
  '.claude/settings.json': JSON.stringify({ hooks: HOOKS, env: {} }),
  '.claude/hooks/end.sh': 'true\n',
  '.mcp.json': JSON.stringify({ mcpServers: { db: { command: 'db' }, other: { command: 'other' } } }),
};
const LINES = [
  'claude hook at Stop: sh .claude/hooks/end.sh (.claude/settings.json)',
  'claude server db: db; for agents of roles that run commands (.mcp.json)',
  'freeze .claude/hooks/end.sh',
  'leave out claude env (devflow takes hooks and permission rules alone) (.claude/settings.json)',
];

function given(files: Record<string, string> = FILES) {
  const { repo, commit, settings, at, shared: own, configDir } = givenSettings(files);
  const settle = async () => {
    const { consents, agentRights, allowed } = await settings.settle(at);
    return { consent: consents.find(({ part }) => part === 'agents'), agentRights, allowed: allowed.agents };
  };
  return { repo, commit, settings, at, settle, own, configDir };
}

test('gives agents rights once a person allowed exactly these bytes', async () => {
  const { settings, at, settle, commit } = given();
  const before = await settle();
  expect(before.consent).toMatchObject({
    state: 'unknown',
    lines: LINES,
    from: ['.claude/settings.json', '.mcp.json'],
  });
  expect([before.agentRights, before.allowed]).toEqual([undefined, undefined]);
  await settings.decide(at, 'allowed');
  const after = await settle();
  expect(after.agentRights?.hash).toBe(before.consent?.hash);
  expect(after.agentRights?.files.map(({ path }) => path)).toEqual([
    '.claude/hooks/end.sh',
    '.claude/settings.json',
    '.mcp.json',
  ]);
  commit({ '.claude/hooks/end.sh': 'false\n' });
  expect(await settle()).toMatchObject({ consent: { state: 'unknown' }, agentRights: undefined });
  commit({ '.claude/hooks/end.sh': 'true\n', 'README.md': 'Other bytes do not matter.' });
  expect((await settle()).agentRights?.hash).toBe(before.consent?.hash);
});

test('gives agents nothing that a person forbade', async () => {
  const { settings, at, settle } = given();
  await settings.decide(at, 'forbidden');
  expect(await settle()).toMatchObject({ consent: { state: 'forbidden' }, agentRights: undefined });
  expect((await settings.settle(at, { allowAll: true })).agentRights).toBeUndefined();
});

test("asks also if the person's own file names the rights, because the bytes are the repository's", async () => {
  const { settle, own } = given({ ...FILES, 'devflow.yaml': '' });
  expect((await settle()).consent).toBeUndefined();
  own('agents: { claude: { mcpForAll: [other] } }');
  expect((await settle()).consent).toMatchObject({
    state: 'unknown',
    lines: ['claude server other: other; for agents of all roles (.mcp.json)'],
  });
});

test('says what is wrong with a file of the base commit, and what mends it', async () => {
  const { settings, at, configDir } = given({ ...FILES, '.mcp.json': '{ "mcpServers": {} }' });
  await expect(settings.settle(at)).rejects.toMatchObject({
    code: 'settings_invalid',
    message: '.mcp.json: there is no MCP server db (there: none). Correct the name in devflow.yaml, or add the server.',
  });
  expect(await checkSettings(at, { configDir })).toContainEqual({
    file: '.mcp.json',
    where: 'base',
    faults: [expect.stringContaining('there is no MCP server db')],
  });
});
