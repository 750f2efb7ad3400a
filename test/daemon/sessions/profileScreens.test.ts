import { describe, expect, test } from 'vitest';
import { readClaudeScreen } from '../../../daemon/sessions/profiles/claude.ts';
import { codex } from '../../../daemon/sessions/profiles/codex.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0);
const rule = '─'.repeat(80);
const claudeScreen = (...rows: string[]) =>
  readClaudeScreen({ lines: ['● Before', '', ...rows, '', rule, '❯ ', rule, '  hints'] }, NOW);
const codexScreen = (...rows: string[]) =>
  codex.readScreen(
    { lines: ['• Before', '', ...rows, '', '', '› \x1b[2mAsk Codex to do anything', '', '  hints'] },
    NOW,
  );

/** As the programs drew them, in a pane of 160 columns. */
describe('Claude Code 2.1.197', () => {
  test.each([
    ['✢ Orchestrating…', 'BUSY'],
    ['* Orchestrating… (5s · ↓ 58 tokens)', 'BUSY'],
    ['✽ Frosting… (5s · ↓ 58 tokens)', 'BUSY'],
    ['✻ API error · Retrying in 4s · attempt 4/10', 'BUSY'],
    ['✻ Sautéed for 0s', 'READY'],
    ['  ⎿  Interrupted · What should Claude do instead?', 'READY'],
  ])('%s: %s', (row, state) => expect(claudeScreen(row)).toMatchObject({ state, composer: '' }));
});

describe('Codex 0.169.0', () => {
  test.each([
    ['• Working (0s • esc to interrupt)', 'BUSY'],
    ['  Worked for <1s • 11:54', 'READY'],
    ['■ unexpected status 401 Unauthorized: Incorrect API key provided: dummy., url: http://127.0.0.1/', 'LOGIN'],
    ['■ exceeded retry limit, last status: 429 Too Many Requests', 'QUOTA'],
    ['■ We’re currently experiencing high demand, which may cause temporary errors.', 'ERROR'],
    ['■ Conversation interrupted - use /feedback if something went wrong', 'READY'],
  ])('%s: %s', (row, state) => expect(codexScreen(row)).toMatchObject({ state, composer: '' }));

  test('the end of a limit may stand on the next row', () => {
    const reading = codexScreen('■ You’ve hit your usage limit. Upgrade to Pro or try again', 'at 12:59 PM.');
    expect(reading).toMatchObject({ state: 'QUOTA', detail: expect.stringMatching(/try again at 12:59 PM\.$/) });
    expect(new Date(reading.until ?? 0).getMinutes()).toBe(59);
  });

  test('an error of an earlier turn is over', () => {
    const before = '■ exceeded retry limit, last status: 429 Too Many Requests';
    expect(codexScreen(before, '', '› Go on', '', '• Done.')).toMatchObject({ state: 'READY' });
  });

  test('it asks for trust in a directory that it does not know', () => {
    const lines = ['  Folder access', '  Trust this folder? Codex can read, edit', '', '› 1. Trust and continue'];
    expect(codex.readScreen({ lines }, NOW)).toEqual({ dialog: 'trust' });
  });

  test('and may be on another day', () => {
    const { until } = codexScreen('■ You’ve hit your usage limit. Try again at Nov 25th, 2026 12:59 PM.');
    expect(until).toBe(new Date(2026, 10, 25, 12, 59).getTime());
  });
});
