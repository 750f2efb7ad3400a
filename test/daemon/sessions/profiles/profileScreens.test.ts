import { describe, expect, test } from 'vitest';
import { readClaudeScreen } from '../../../../daemon/sessions/profiles/claudeScreen.ts';
import { codex } from '../../../../daemon/sessions/profiles/codex.ts';
import { gemini } from '../../../../daemon/sessions/profiles/gemini.ts';
import { opencode } from '../../../../daemon/sessions/profiles/opencode.ts';

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

describe('Claude Code 2.1.197 asks', () => {
  test('a question between two rules is no composer', () => {
    const choices = [' ☐ Greeting', '', 'Which greeting do you want?', '❯ 1. Hello', '  2. Hi', '  3. Type something.'];
    const lines = ['● Before', rule, ...choices, rule, '  4. Chat about this', '', 'Enter to select · ↑/↓ to navigate'];
    expect(readClaudeScreen({ lines }, NOW)).toEqual({ dialog: 'question' });
  });

  test('for a log-in, beside an idle composer', () => {
    const hints = [
      "  ⏵⏵ don't ask on · ← for agents                    Not logged in · Run /login",
      '   ● high · /effort',
    ];
    expect(readClaudeScreen({ lines: ['', rule, '❯ ', rule, ...hints, '', '', '', ''] }, NOW)).toMatchObject({
      state: 'LOGIN',
    });
  });
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

  test.each([
    ['', '  Waiting for startup  · esc cancel'],
    // Drawn over what stood there.
    ['acWaiting for startupb9·2esc5cancel87e6-87e6-6313ee33e23b14ffe1d85b0b6f774bcf'],
  ])('holds a prompt until it has started', (...rows) => {
    const lines = ['', '› First line', '  and the last one', ...rows, '', ''];
    expect(codex.readScreen({ lines }, NOW)).toMatchObject({
      state: 'STARTING',
      composer: expect.stringMatching(/^First line/),
    });
    const said = ['› Say: Waiting for startup', '  and the last one', '', '  hints'];
    expect(codex.readScreen({ lines: said }, NOW)).toMatchObject({ state: 'READY' });
  });

  test('names the end of a limit, also on the next row', () => {
    const reading = codexScreen('■ You’ve hit your usage limit. Upgrade to Pro or try again', 'at 12:59 PM.');
    expect(reading).toMatchObject({ state: 'QUOTA', detail: expect.stringMatching(/try again at 12:59 PM\.$/) });
    expect(new Date(reading.until ?? 0).getMinutes()).toBe(59);
  });

  test('an error of an earlier turn is over', () => {
    const before = '■ exceeded retry limit, last status: 429 Too Many Requests';
    expect(codexScreen(before, '', '› Go on', '', '• Done.')).toMatchObject({ state: 'READY' });
  });

  test('asks for trust in an unknown directory', () => {
    const lines = ['  Folder access', '  Trust this folder? Codex can read, edit', '', '› 1. Trust and continue'];
    expect(codex.readScreen({ lines }, NOW)).toEqual({ dialog: 'trust' });
  });

  test.each([
    ['■ Your workspace is out of credits. Add credits to continue.', 'QUOTA'],
    ['■ Your workspace is out of credits. Ask your workspace owner to refill in order to continue.', 'QUOTA'],
    ['■ You hit your spend cap set in your workspace. Increase your spend cap to continue.', 'QUOTA'],
    ['■ Quota exceeded. Check your plan and billing details.', 'QUOTA'],
    ['■ To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.', 'QUOTA'],
    [
      '■ Your access token could not be refreshed because your refresh token was already used. Please log out and sign in again.',
      'LOGIN',
    ],
    ['■ Your access token could not be refreshed because your refresh token was revoked. Please log out and', 'LOGIN'],
  ])('%s: %s', (row, state) => expect(codexScreen(row)).toMatchObject({ state }));

  test('says where to buy more if no time helps, and only then', () => {
    const money = codexScreen('■ Your workspace is out of credits. Add credits to continue.');
    expect(money.detail).toMatch(/ \(see https:\/\/chatgpt\.com\/settings\/usage, or \/status in its pane\)$/);
    const sentence =
      '■ You’ve hit your usage limit. Visit settings to purchase more credits or try again in 3 days 2 hours.';
    const waits = codexScreen(sentence);
    expect(waits).toMatchObject({ state: 'QUOTA', detail: sentence, until: NOW + 74 * 3_600_000 });
  });

  test('names the end of a limit on another day', () => {
    const { until } = codexScreen('■ You’ve hit your usage limit. Try again at Nov 25th, 2026 12:59 PM.');
    expect(until).toBe(new Date(2026, 10, 25, 12, 59).getTime());
  });
});

describe('Gemini CLI 0.61.0', () => {
  const geminiScreen = (...rows: string[]) =>
    gemini.readScreen(
      {
        lines: [
          ...[
            ' > Before',
            '✦ Done.',
            '',
            ...rows,
            '',
            `\x1b[2m${'─'.repeat(160)}`,
            ' auto-accept edits Shift+Tab to plan',
          ],
          ...['', ' > \x1b[7m \x1b[0m Type your message or @path/to/file', '', ' workspace (/directory)      branch'],
        ],
      },
      NOW,
    );

  test.each([
    ['', 'READY'],
    [' ⠧ Thinking... (esc to cancel, 4s)                                          ? for shortcuts', 'BUSY'],
    ['✕ [API Error: {"error":{"code":401,"status":"UNAUTHENTICATED","message":"API key not valid."}}]', 'LOGIN'],
    ['✕ [API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API', 'LOGIN'],
    ['✕ [API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Quota exceeded"}}]', 'QUOTA'],
    ['✕ [API Error: {"error":{"code":500,"status":"INTERNAL","message":"boom"}}]', 'ERROR'],
    ['✕ [API Error: You exceeded your current quota. Please retry in 3597s.]', 'QUOTA'],
    // Refused with 429 or 500 it tries again for ever, 5 to 30 s later, and says nothing of it.
    [' ⠼ Thinking... (esc to cancel, 36s)                                         ? for shortcuts', 'BUSY'],
    ['ℹ Request cancelled.', 'READY'],
  ])('%s: %s', (row, state) => expect(geminiScreen(row)).toMatchObject({ state, composer: '' }));

  test('names the end of a limit as a duration, on one row or several', () => {
    const { until } = geminiScreen(
      '✕ [API Error: Quota exceeded. Please',
      '  retry in 1h2m3.5s.]',
      'ℹ This request failed.',
    );
    expect(until).toBe(NOW + 3_723_500);
  });

  test('finds the composer between half blocks in true colour', () => {
    const lines = ['─'.repeat(160), ' auto-accept edits', '▄'.repeat(160), ' >   Type your message or @path/to/file'];
    const below = ['▀'.repeat(160), ' workspace (/directory)', ' /w/repo'];
    expect(gemini.readScreen({ lines: [...lines, ...below] }, NOW)).toEqual({ composer: '', state: 'READY' });
  });

  test('an error of an earlier turn is over', () =>
    expect(geminiScreen('✕ [API Error: boom]', '', ' > Go on', '✦ Done.')).toMatchObject({ state: 'READY' }));

  test('takes no typed text for a placeholder, also over several rows', () => {
    const lines = ['─'.repeat(40), ' auto-accept edits', '', ' > First', '   second', '', ' workspace'];
    expect(gemini.readScreen({ lines }, NOW)).toMatchObject({ composer: 'First\nsecond' });
  });

  test.each([
    ['│ How would you like to authenticate for this project?', 'login'],
    ['│ Do you trust the files in this folder?', 'trust'],
    ['│ Apply this change?', 'permission'],
    ['│ We are currently experiencing high demand.', 'overload'],
  ])('%s', (row, dialog) =>
    expect(gemini.readScreen({ lines: [row, '│ ● 1. Yes', '│   2. No'] }, NOW)).toEqual({ dialog }),
  );

  test('the dialog of a limit is the limit, and no question', () => {
    const rows = [
      '│ Usage limit reached for all Pro models.  │',
      '│ Access resets at 3:35 PM UTC.  │',
      '│ /stats model for usage',
    ];
    expect(gemini.readScreen({ lines: [...rows, '│ ● 1. Keep trying', '│   2. Stop'] }, NOW)).toEqual({
      dialog: 'limit',
      state: 'QUOTA',
      detail:
        'Usage limit reached for all Pro models. Access resets at 3:35 PM UTC. (its menu is open: choose in its pane)',
      until: Date.UTC(2026, 10, 21, 15, 35),
    });
  });

  test('names the end of a used-up capacity', () => {
    const row = '✕ [API Error: You have exhausted your capacity on this model. Your quota will reset after 21h56m44s.]';
    expect(geminiScreen(row)).toMatchObject({ state: 'QUOTA', until: NOW + 79_004_000 });
  });

  test.each([
    ['✦  Working… (main)', 'BUSY'],
    ['⏲  Working… (main)', 'BUSY'],
    ['✋  Action Required (main)', 'WAITING'],
    // It is there while a log-in dialog is open, too.
    ['◇  Ready (main)', undefined],
    ['vm', undefined],
  ])('title %s', (title, state) => expect(gemini.readTitle(title)).toBe(state));
});

describe('opencode 1.18.33', () => {
  const opencodeScreen = (input: readonly string[], below = '   tab agents  ctrl+p commands') =>
    opencode.readScreen(
      {
        lines: [
          ...['  ┃', '  ┃  An earlier prompt', '  ┃', '', '     Done it.', ''],
          // What stands beside it is none of it.
          ...[...input, '', 'Build · M Stub'].map((row) => `  ┃  ${row.padEnd(60)}  /beside`),
          ...[`  ╹${'▀'.repeat(62)}  • OpenCode 1.18.33`, below],
        ],
      },
      NOW,
    );

  test.each([
    [[''], ''],
    [['Ask anything… "Fix a TODO in the codebase"'], ''],
    [['First', 'second'], 'First\nsecond'],
    [['[Pasted ~9 lines]'], '[Pasted ~9 lines]'],
  ])('its composer: %s', (input, composer) => expect(opencodeScreen(input)).toEqual({ composer, state: 'READY' }));

  test('is at work while Esc would interrupt it', () =>
    expect(opencodeScreen([''], '   ⬝⬝⬝⬝⬝⬝⬝⬝  esc interrupt')).toMatchObject({ state: 'BUSY' }));

  test.each([
    ['   ⬝⬝⬝⬝⬝⬝⬝⬝ Internal server error [retrying in 2s attempt #1]           esc interrupt', 'BUSY', false],
    // The last minute of a long wait, or a short one: the plugin knows.
    ['   ⬝⬝⬝■■■■■ Rate limit reached for requests. [retrying attempt #1]      esc interrupt', undefined, false],
    ['   ⬝⬝⬝■■■■■ Rate limit reached for requests. [retrying in 30s attempt #5] esc interrupt', undefined, false],
    ['   ⬝⬝⬝■■■■■ Rate limit reached. [retrying in 59m 59s attempt #1]       esc interrupt', 'QUOTA', true],
    ['   ⬝⬝⬝■■■■■ Quota exceeded [retrying in ~2 days attempt #1]            esc interrupt', 'QUOTA', true],
  ])('%s: %s', (below, state, isTold) => {
    const reading = opencodeScreen([''], below);
    expect([reading.composer, reading.state]).toEqual(['', state]);
    expect(/^[QR].*\]$/.test(reading.detail ?? '')).toBe(isTold);
  });

  test.each([
    ['△ Permission required', 'permission'],
    ['  Connect a provider                    esc', 'login'],
  ])('%s', (row, dialog) => expect(opencode.readScreen({ lines: [row] }, NOW)).toEqual({ dialog }));

  const hook = (name: string, data = {}) => opencode.readHook({ name, at: NOW, data });
  test.each([
    ['Busy', {}, { state: 'BUSY' }],
    ['SessionStart', {}, { state: 'READY' }],
    ['Stop', {}, { state: 'READY', endsTurn: true }],
    ['Stop', { failure: { name: 'MessageAbortedError' } }, { state: 'READY' }],
    [
      'Stop',
      { failure: { name: 'APIError', statusCode: 401, message: 'no key' } },
      { state: 'LOGIN', detail: 'no key' },
    ],
    ['Stop', { failure: { name: 'UnknownError', message: 'boom' } }, { state: 'ERROR', detail: 'boom' }],
    [
      'Stop',
      { failure: { name: 'APIError', message: '5 hour usage limit reached. It will reset in 2 hours 5 minutes.' } },
      {
        state: 'QUOTA',
        detail: '5 hour usage limit reached. It will reset in 2 hours 5 minutes.',
        until: NOW + 7_500_000,
      },
    ],
    ['Retry', { message: 'boom', next: 7 }, { state: 'BUSY', detail: 'boom' }],
    ['Retry', { message: 'Rate limit reached', next: NOW + 30_000 }, { state: 'BUSY', detail: 'Rate limit reached' }],
    [
      'Retry',
      { message: 'quota is used up', next: NOW + 3_600_000 },
      { state: 'QUOTA', detail: 'quota is used up', until: NOW + 3_600_000, after: 'BUSY' },
    ],
    ['PermissionRequest', { tool_name: 'bash' }, { state: 'WAITING', detail: 'permission for bash' }],
  ])('%s %j', (name, data, reading) => expect(hook(name, data)).toEqual(reading));
});
