import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { TOOLS } from '../../cli/mcp/tools.ts';
import { shareDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { proveEnd } from './support.ts';

const shared = shareDaemon();

const MODERN = '2026-07-28';

/** A program that uses devflow, in one of the generations of the protocol. */
async function program(daemon: TestDaemon, era = MODERN, more: Record<string, string> = {}): Promise<Client> {
  const transport = new StdioClientTransport({
    command: daemon.cliProgram,
    args: ['mcp'],
    env: { ...daemon.env, ...more },
    stderr: 'inherit',
  });
  const mode = era === 'legacy' ? era : { pin: era };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

type Result = { structuredContent?: unknown; isError?: boolean; content: { text: string }[] };
const ask = async (client: Client, name: string, given: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: given })) as unknown as Result;

test.each([MODERN, 'legacy'])('a program starts a run, reads it, and decides nothing (%s)', async (era) => {
  const daemon = shared();
  const client = await program(daemon, era);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  const repo = daemon.repo();
  const given = {
    repo: repo.dir,
    requirements: 'Greet.',
    template: 'quick-change@1',
    backend: { implementer: 'fake' },
  };
  expect((await ask(client, 'run_start', { ...given, dryRun: true })).structuredContent).toMatchObject({
    dryRun: true,
  });
  const { runId } = (await ask(client, 'run_start', given)).structuredContent as { runId: string };
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const list = (await ask(client, 'run_list', { repo: repo.dir })).structuredContent as { runs: object[] };
  expect(list.runs).toMatchObject([{ runId, waitsForPerson: true }]);
  const gates = (await ask(client, 'gate_list', { runId })).structuredContent as { gates: { id: string }[] };
  const [gate] = gates.gates;
  expect((await ask(client, 'gate_show', { approvalId: gate?.id })).structuredContent).toMatchObject({ runId });
  expect((await ask(client, 'run_report', { runId })).content[0]?.text).toMatch(/^# /);
  const sessions = (await ask(client, 'session_list', { runId })).structuredContent as {
    sessions: { sessionId: string }[];
  };
  const transcript = await ask(client, 'session_transcript', { sessionId: sessions.sessions[0]?.sessionId });
  expect(transcript.isError).not.toBe(true);
  expect((await ask(client, 'schedule_list')).structuredContent).toEqual({ schedules: [] });
  expect((await ask(client, 'template_list')).structuredContent).toHaveProperty('templates');
  expect((await ask(client, 'run_findings', { runId })).structuredContent).toMatchObject({ findings: [] });
  const { contents } = await client.readResource({ uri: `devflow://run/${runId}/report` });
  expect(contents).toMatchObject([{ mimeType: 'text/markdown' }]);
  expect(await ask(client, 'run_show', { runId: 'nothing' })).toMatchObject({ isError: true });
  await daemon.call('run.abort', { runId });
  await proveEnd(daemon, runId, 'aborted');
});

test('a program outlives the daemon that it asks', async () => {
  const daemon = shared();
  const client = await program(daemon);
  expect((await ask(client, 'run_list')).isError).not.toBe(true);
  await daemon.stop();
  const refused = await ask(client, 'run_list');
  expect(refused).toMatchObject({ isError: true });
  expect(refused.content[0]?.text).toContain('devflow up');
  await daemon.start();
  expect((await ask(client, 'run_list')).isError).not.toBe(true);
  await daemon.kill('SIGKILL');
  await daemon.start();
  expect((await ask(client, 'run_list')).isError).not.toBe(true);
});

test('an agent only reads', async () => {
  const daemon = shared();
  const repo = daemon.repo();
  const runId = await startRun(daemon, { repo: repo.dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const [session] = (await daemon.call('run.get', { runId })).sessions;
  const agent = await program(daemon, MODERN, { DEVFLOW_AGENT: session?.sessionId ?? '' });
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('run_start');
  const list = (await ask(agent, 'run_list')).structuredContent as { runs: object[] };
  expect(list.runs.length).toBeGreaterThan(0);
  const call = agent.callTool({ name: 'run_start', arguments: { repo: repo.dir, requirements: 'x' } });
  expect(
    await call.then(
      (result) => result.isError,
      () => true,
    ),
  ).toBe(true);
  expect(await daemon.call('run.list', { limit: 0, repo: repo.dir })).toHaveLength(1);
  await daemon.call('run.abort', { runId });
  await proveEnd(daemon, runId, 'aborted');
});

test('standard output is the protocol alone, and its end ends the server', async () => {
  const daemon = shared();
  const server = spawn(daemon.cliProgram, ['mcp'], { env: { ...daemon.env, LANG: 'C' }, stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve));
  const printed = text(server.stdout);
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  server.stdin.write('no JSON at all\n');
  send({ id: 'ÿ\u0000', method: 'tools/call', params: { name: 'nothing', arguments: {} } });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  send({ id: 1, method: 'initialize', params });
  let seen = '';
  server.stdout.on('data', (chunk) => {
    seen += chunk;
  });
  await until('it answers', () => seen.includes('"serverInfo"'));
  server.stdin.end();
  expect(await ended).toBe(0);
  for (const line of (await printed).trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
});
