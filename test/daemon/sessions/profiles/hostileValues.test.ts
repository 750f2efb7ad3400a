import { describe, expect, it } from 'vitest';
import { CLAUDE_HOOKS } from '../../../../daemon/sessions/profiles/claude.ts';
import { PROFILES } from '../../../../daemon/sessions/profiles/index.ts';

/** Values that `String` and `Number` cannot convert, or only with a deep stack. */
const VALUES: readonly unknown[] = [{ toString: 1 }, { valueOf: 1, toString: 1 }, nested(50_000), [null], null, true];

const HOOKS = [...CLAUDE_HOOKS, 'Retry', 'Question', 'Interrupt'];
const KEYS = ['tool_name', 'tool_input', 'error', 'last_assistant_message', 'message', 'next', 'failure'];

describe.each(Object.entries(PROFILES))('%s', (_, profile) => {
  it('reads every hook, whatever its values are', () => {
    for (const value of VALUES)
      for (const name of HOOKS) {
        const data = Object.fromEntries(KEYS.map((key) => [key, value]));
        const deep = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: value }] } };
        const failed = { failure: { name: value, message: value, statusCode: value } };
        for (const each of [data, deep, failed])
          expect(() => profile.readHook({ name, at: 0, data: each })).not.toThrow();
      }
  });

  it.runIf(profile.readRecord)('reads every line of its record, whatever its values are', () => {
    for (const value of VALUES.filter((each) => !Array.isArray(each)))
      for (const type of ['gemini', 'user', 'session_meta', 'event_msg'])
        for (const said of ['task_started', 'task_complete']) {
          const payload = { type: said, id: value, last_agent_message: value };
          const line = JSON.stringify({ timestamp: value, sessionId: value, type, content: value, payload });
          expect(() => profile.readRecord?.(line)).not.toThrow();
        }
    expect(() => profile.readRecord?.(`{"timestamp":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).not.toThrow();
  });
});

function nested(depth: number): unknown {
  let value: unknown[] = [];
  for (let nth = 0; nth < depth; nth += 1) value = [value];
  return value;
}
