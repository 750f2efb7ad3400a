import { describe, expect, test } from 'vitest';
import { TOOLS, toolsFor } from '../../../cli/mcp/tools.ts';
import { METHODS } from '../../../schemas/rpc/methods/index.ts';

const methodOf = (name: string) => METHODS.find((each) => each.name === name);

describe('the tools of the MCP server', () => {
  test('are these alone', () => {
    expect(TOOLS.map(({ name, method }) => `${name}: ${method}`)).toEqual([
      'run_list: run.list',
      'run_show: run.get',
      'gate_list: approval.list',
      'gate_show: approval.get',
      'run_findings: run.findings',
      'run_report: run.report',
      'session_list: session.list',
      'session_transcript: session.transcript',
      'message_list: message.list',
      'schedule_list: schedule.list',
      'template_list: template.list',
      'run_start: run.start',
      'message_send: message.send',
    ]);
  });

  test.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s decides nothing', (_name, { method, isWrite }) => {
    const changes = methodOf(method)?.changes;
    if (isWrite) expect(['run.start', 'message.send']).toContain(method);
    else expect(changes).toBe('nothing');
  });

  test('an agent gets those that change nothing', () => {
    const given = toolsFor({ isAgent: true });
    expect(given.map(({ method }) => methodOf(method)?.changes)).toEqual(given.map(() => 'nothing'));
    expect(given.length).toBe(TOOLS.length - 2);
  });

  test.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s takes parameters of its method', (_name, tool) => {
    const known = Object.keys(methodOf(tool.method)?.params.shape ?? {});
    expect(known).toEqual(expect.arrayContaining(Object.keys(tool.input.shape)));
  });

  test('a start cannot allow what a person must allow, nor bring a draft', () => {
    const start = TOOLS.find(({ name }) => name === 'run_start');
    const forbidden = ['allowSetup', 'draft', 'draftArtifacts', 'draftPersonas', 'settings', 'extra', 'here', 'host'];
    expect(Object.keys(start?.input.shape ?? {}).filter((key) => forbidden.includes(key))).toEqual([]);
    const given = { repo: '/r', requirements: 'x', allowSetup: true };
    expect(start?.input.safeParse(given).success).toBe(false);
  });

  test('a message is always that of a program', () => {
    const send = TOOLS.find(({ name }) => name === 'message_send');
    expect(send?.defaults).toEqual({ via: 'program' });
    expect(send?.input.safeParse({ target: 'r', text: 'x', via: 'person' }).success).toBe(false);
    expect(send?.input.safeParse({ target: 'r', text: 'x' }).success).toBe(true);
  });
});
