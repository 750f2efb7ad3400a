import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { claude, readClaudeHook } from '../../../../daemon/sessions/profiles/claude.ts';
import { PermissionMode } from '../../../../schemas/enums.ts';

const NOW = Date.UTC(2026, 10, 26, 15, 0);

interface Hook {
  matcher?: string;
  hooks: { command: string }[];
}

function settingsOf(permissionMode: PermissionMode) {
  const { argv, files } = claude.launch({
    sessionId: 's',
    conversationId: 'c',
    resume: false,
    sessionDir: '/session',
    permissionMode,
    hookCommand: (event) => `report ${event}`,
    modelConfig: {},
    binaryPath: 'agent',
    args: [],
    env: { HOME: '/home/ada' },
  });
  const settings: { hooks: Record<string, Hook[]>; askUserQuestionTimeout: string } = JSON.parse(
    files['claude-settings.json'] ?? '',
  );
  return { argv, ...settings };
}

test.each(PermissionMode.options)('%s: opens the question of Claude, and nothing else', (mode) => {
  const { argv, hooks, askUserQuestionTimeout } = settingsOf(mode);
  expect(argv.join(' ')).toContain('--permission-mode dontAsk');
  expect(argv.join(' ')).toMatch(/--tools \S+,AskUserQuestion( |$)/);
  const answering = Object.values(hooks)
    .flat()
    .filter(({ hooks: [hook] }) => !hook?.command.startsWith('report '));
  expect(answering).toEqual([hooks.PreToolUse?.[1]]);
  expect(answering[0]?.matcher).toBe('AskUserQuestion');
  expect(askUserQuestionTimeout).toBe('never');
});

test('the hook answers with the input of the call, whatever that contains', () => {
  const tool_input = {
    questions: [
      { question: 'Is it "tool_input": or %s, \\n or $(id)?\n', options: [{ label: `it's ü 😀 \u2028 \u0007 \\` }] },
      { question: '}}', options: [] },
    ],
  };
  const event = {
    session_id: 's',
    cwd: '/a "tool_input": b',
    permission_mode: 'dontAsk',
    effort: { level: 'high' },
    tool_name: 'AskUserQuestion',
    tool_input,
    tool_use_id: 'toolu_1',
  };
  const command = settingsOf('read').hooks.PreToolUse?.[1]?.hooks[0]?.command ?? '';
  const said = execFileSync('/bin/sh', ['-c', command], { input: JSON.stringify(event), encoding: 'utf8' });
  expect(JSON.parse(said).hookSpecificOutput).toMatchObject({
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    updatedInput: tool_input,
  });
});

test.each(['PreToolUse', 'PermissionRequest'])('%s reports a question with its words', (name) => {
  const data = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which greeting?' }] } };
  expect(readClaudeHook({ name, at: NOW, data })).toEqual({
    state: 'WAITING',
    detail: 'question: Which greeting?',
    tool: 'AskUserQuestion',
  });
});

test.each([{ toString: 1 }, [], null, 5])('a question of %j is no text', (question) => {
  const data = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question }] } };
  expect(readClaudeHook({ name: 'PreToolUse', at: NOW, data })?.detail).toBe('question: it asks something');
});

test('any other tool is work', () =>
  expect(readClaudeHook({ name: 'PreToolUse', at: NOW, data: { tool_name: 'Bash', tool_input: {} } })).toEqual({
    state: 'BUSY',
    tool: 'Bash',
  }));
