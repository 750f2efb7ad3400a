import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printConfig } from '../../cli/mcp/printConfig.ts';
import { proveEnd } from '../e2e/support.ts';
import { isNotYet } from '../fixtures/model/scenario.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { writeFiles } from '../helpers/writeFiles.ts';
import { PROGRAMS } from './programs/pins.ts';
import { realDaemon } from './support/realDaemon.ts';

/** Asks the MCP server for a start without the mark of an agent, and prints the answer. */
const ASKS = `const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const { mcpServers } = JSON.parse(require('node:fs').readFileSync('person.json', 'utf8'));
const { command, args, env } = mcpServers.devflow;
const { DEVFLOW_AGENT, DEVFLOW_SESSION_DIR, ...given } = process.env;
const server = spawn(command, args, { env: { ...given, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const clientInfo = { name: 'hidden', version: '1' };
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id === 2) {
    console.log(line);
    server.stdin.end();
  }
  if (id !== 1) return;
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'run_start', arguments: { repo: process.cwd(), requirements: 'More.' } } });
});
`;

test.runIf(PROGRAMS.includes('claude'))('Claude Code reads runs by MCP, and as an agent starts none', async () => {
  const real = await realDaemon({
    scenario: 'asks-devflow',
    args: { claude: ['--mcp-config', 'person.json', '--allowedTools', 'mcp__devflow'] },
  });
  const { daemon, env, model, repo } = real;
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
  writeFiles(repo, { 'person.json': printConfig('claude', daemon.env), 'asks.cjs': ASKS });
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'Ask devflow');
  await daemon.start(env);
  const runId = await startRun(daemon, { repo, template: 'quick-change@1', backend: { implementer: 'claude' } });
  await drive(daemon, runId);
  const { run } = await proveEnd(daemon, runId, 'completed');

  const [uuid = ''] = model.conversation();
  const [list, start] = model.results(uuid).filter((result) => !isNotYet(result));
  expect(list).toContain(runId);
  expect(start).toMatch(/No such tool available/);
  const asked = JSON.parse(readFileSync(join(run.worktreeRoot, 'asks.txt'), 'utf8'));
  expect(asked).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('[agent_may_not_decide]') }] },
  });
  expect(await daemon.call('run.list', { limit: 0, repo })).toHaveLength(1);
});
