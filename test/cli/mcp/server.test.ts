import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { McpDaemon } from '../../../cli/mcp/daemon.ts';
import { createServer } from '../../../cli/mcp/server.ts';
import { TOOLS } from '../../../cli/mcp/tools.ts';
import { DevflowError } from '../../../schemas/errors.ts';

type Asked = { method: string; params: unknown };

async function connected(answer: (asked: Asked) => unknown, isAgent = false) {
  const asked: Asked[] = [];
  const daemon: McpDaemon = {
    request: async (method, params) => {
      asked.push({ method, params });
      return answer({ method, params });
    },
    close: () => {},
  };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createServer(daemon, { isAgent });
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, asked };
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe('the MCP server', () => {
  test('lists its tools with the parameters of their methods', async () => {
    const { client } = await connected(() => []);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const start = tools.find(({ name }) => name === 'run_start');
    expect(start?.inputSchema.required?.toSorted()).toEqual(['repo', 'requirements']);
    expect(start?.annotations).toMatchObject({ readOnlyHint: false });
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(writing).toEqual(['run_start', 'message_send']);
  });

  test('calls the method, and gives its answer as data and as text', async () => {
    const { client, asked } = await connected(() => [{ runId: 'r1' }]);
    const result = await client.callTool({ name: 'run_list', arguments: { limit: 3 } });
    expect(asked).toMatchObject([{ method: 'run.list', params: { limit: 3 } }]);
    expect(result).toMatchObject({ structuredContent: { runs: [{ runId: 'r1' }] } });
    expect(textOf(result)).toBe('{"runs":[{"runId":"r1"}]}');
  });

  test('a start has a token, so that a lost connection starts nothing twice', async () => {
    const { client, asked } = await connected(() => ({ runId: 'r1' }));
    await client.callTool({ name: 'run_start', arguments: { repo: '/r', requirements: 'x' } });
    expect(asked).toMatchObject([
      {
        method: 'run.start',
        params: { repo: '/r', requirements: 'x', clientToken: expect.stringMatching(/^[\da-f-]{36}$/) },
      },
    ]);
  });

  test('a message is sent as that of a program', async () => {
    const { client, asked } = await connected(() => []);
    await client.callTool({ name: 'message_send', arguments: { target: 'r1/coder', text: 'Use tabs.' } });
    const clientToken = expect.any(String);
    expect(asked).toEqual([
      { method: 'message.send', params: { target: 'r1/coder', text: 'Use tabs.', via: 'program', clientToken } },
    ]);
  });

  test('an error says what to do', async () => {
    const { client } = await connected(() => {
      throw new DevflowError('daemon_not_running', 'devflow is not running');
    });
    const result = await client.callTool({ name: 'run_list', arguments: {} });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/^devflow is not running \[daemon_not_running\]\. .*devflow up/);
  });

  test('refuses unknown parameters and unknown tools without asking the daemon', async () => {
    const { client, asked } = await connected(() => ({}));
    const refused = async (name: string, given: Record<string, unknown>) => {
      try {
        return (await client.callTool({ name, arguments: given })).isError === true;
      } catch {
        return true;
      }
    };
    expect(await refused('run_start', { repo: '/r', requirements: 'x', allowSetup: true })).toBe(true);
    expect(await refused('run_show', {})).toBe(true);
    expect(await refused('approval_decide', {})).toBe(true);
    expect(asked).toEqual([]);
  });

  test('an agent is not told of a tool that changes something, and cannot call it', async () => {
    const { client, asked } = await connected(() => ({}), true);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const call = client.callTool({ name: 'run_start', arguments: { repo: '/r', requirements: 'x' } });
    const outcome = await call.then(
      (result) => result.isError,
      () => true,
    );
    expect(outcome).toBe(true);
    expect(asked).toEqual([]);
  });

  test('a report is a tool and a resource', async () => {
    const { client, asked } = await connected(() => ({ runId: 'r1', markdown: '# Done', json: {}, paths: null }));
    expect(textOf(await client.callTool({ name: 'run_report', arguments: { runId: 'r1' } }))).toBe('# Done');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'devflow://run/{runId}/report' }]);
    const { contents } = await client.readResource({ uri: 'devflow://run/r1/report' });
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# Done' }]);
    expect(asked.at(-1)).toEqual({ method: 'run.report', params: { runId: 'r1' } });
  });

  test('a transcript is plain text', async () => {
    const chunk = { seq: 1, kind: 'output', content: 'all \u001b[31mred\u001b[0m\n', endOffset: null };
    const { client, asked } = await connected(() => ({ sessionId: 's', chunks: [chunk], lastSeq: 1, more: false }));
    const result = await client.callTool({ name: 'session_transcript', arguments: { sessionId: 's' } });
    expect(textOf(result)).not.toContain('\u001b');
    expect(textOf(result)).toContain('all ');
    expect(asked).toEqual([{ method: 'session.transcript', params: { sessionId: 's', tail: 200 } }]);
  });
});
