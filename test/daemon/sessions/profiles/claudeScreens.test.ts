import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readClaudeHook } from '../../../../daemon/sessions/profiles/claude.ts';
import { readClaudeScreen, readClaudeTitle } from '../../../../daemon/sessions/profiles/claudeScreen.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

const NOW = Date.UTC(2026, 10, 26, 11, 20);
const WEEKLY = "You've hit your weekly limit · resets Dec 2, 12pm (UTC)";
const UNTIL = Date.UTC(2026, 11, 2, 12);
const RULE = '─'.repeat(80);
const limit = (...rows: string[]) => readClaudeScreen({ lines: [...rows, '', RULE, '❯ ', RULE, '  hints'] }, NOW);

/** As 2.1.332 and 2.1.197 drew it in a pane of 160x45, with a made-up subscription, against the model of the tests. */
function seen(name: string) {
  const file = join(packageRoot(), 'test/fixtures/agentScreens', `claude-${name}.txt`);
  return readClaudeScreen({ lines: readFileSync(file, 'utf8').split('\n') }, NOW);
}

describe('a screen of Claude Code', () => {
  it.each(['2.1.332-weekly-menu', '2.1.332-weekly-menu-moved', '2.1.197-weekly-menu'])(
    '%s: the menu of a limit is the limit, and no question',
    (name) => {
      const detail = `${WEEKLY} (its menu is open: choose in its pane)`;
      expect(seen(name)).toEqual({ dialog: 'limit', state: 'QUOTA', detail, until: UNTIL });
    },
  );

  it('its question between two rules is a question, and no composer', () =>
    expect(seen('2.1.332-question')).toEqual({ dialog: 'question' }));

  it('says that it continues on its own when the limit ends', () => {
    expect(seen('2.1.332-weekly-continues')).toMatchObject({
      state: 'QUOTA',
      detail: WEEKLY,
      until: UNTIL,
      after: 'BUSY',
    });
    const until = Date.UTC(2026, 10, 26, 12);
    expect(seen('2.1.332-5-hour-continues')).toMatchObject({ composer: '', state: 'QUOTA', until, after: 'BUSY' });
  });

  it('says that it does not, once a person has cancelled that', () => {
    expect(seen('2.1.332-weekly-cancelled')).toEqual({ composer: '', state: 'QUOTA', detail: WEEKLY, until: UNTIL });
    expect(seen('2.1.197-session-limit')).toMatchObject({ composer: '', state: 'QUOTA', until: UNTIL });
  });

  it('says at the right above the composer that nobody is logged in', () =>
    expect(seen('2.1.332-logged-out')).toEqual({ composer: '', state: 'LOGIN', detail: 'Not logged in · run /login' }));

  it.each([
    ['2.1.332-started', 'READY'],
    ['2.1.332-working', 'BUSY'],
    ['2.1.332-interrupted', 'READY'],
  ])('%s: %s', (name, state) => expect(seen(name)).toMatchObject({ composer: '', state }));

  it.each([
    ['  ⎿  Weekly limit reached · resets Dec 2, 12pm (UTC)', UNTIL],
    ['  ⎿  5-hour limit reached ∙ resets 3pm (UTC)', Date.UTC(2026, 10, 26, 15)],
    ["  ⎿  You've reached your Opus limit · resets Dec 2 at 12pm (UTC)", UNTIL],
    ["  ⎿  You've hit your limit · resets Wed 12pm (UTC)", UNTIL],
    ["  ⎿  You've hit your org's monthly usage limit", undefined],
  ])('%s', (row, until) => {
    const reading = limit(row);
    expect([reading.state, reading.until]).toEqual(['QUOTA', until]);
  });

  it('joins the rows of a sentence, with what it offers', () => {
    const rows = [
      "  ⎿  You've hit your weekly limit · resets Dec 2,",
      '     12pm (UTC)',
      '     /upgrade to increase it.',
    ];
    expect(limit(...rows)).toMatchObject({ detail: `${WEEKLY} /upgrade to increase it.`, until: UNTIL });
  });

  it('says where to buy more if no time helps', () => {
    const detail = "You're out of usage credits · add more (see /usage in its pane)";
    expect(limit("  ⎿  You're out of usage credits · add more")).toEqual({ composer: '', state: 'QUOTA', detail });
  });

  it('takes what the agent says for no work, however it begins', () => {
    expect(limit('● Waiting for the build…')).toMatchObject({ state: 'READY' });
    expect(limit('● Orchestrating… (5s · ↓ 58 tokens)')).toMatchObject({ state: 'BUSY' });
    expect(limit('∗ Orchestrating… (5s · ↓ 58 tokens)')).toMatchObject({ state: 'BUSY' });
  });
});

it.each([
  ['⠋ Task', 'BUSY'],
  ['◐ Claude Code', 'BUSY'],
  ['◑ Claude Code', 'BUSY'],
  ['✳ Claude Code', 'READY'],
  ['vm', undefined],
])('the title %s of Claude Code: %s', (title, state) => expect(readClaudeTitle(title)).toBe(state));

describe('a failed turn by the hook of Claude Code', () => {
  const failed = (error: string, said?: string) =>
    readClaudeHook({ name: 'StopFailure', at: NOW, data: { error, last_assistant_message: said } });

  it.each([
    ['rate_limit', WEEKLY, { state: 'QUOTA', detail: WEEKLY, until: UNTIL }],
    ['rate_limit', undefined, { state: 'QUOTA', detail: 'rate_limit' }],
    [
      'billing_error',
      'Credit balance is too low',
      { state: 'QUOTA', detail: 'Credit balance is too low (see /usage in its pane)' },
    ],
    ['authentication_failed', 'Please run /login', { state: 'LOGIN', detail: 'Please run /login' }],
    ['unknown', "You're out of extra usage · resets 1pm (UTC)", { state: 'QUOTA', until: Date.UTC(2026, 10, 26, 13) }],
    ['unknown', 'Login expired · Please run /login', { state: 'LOGIN' }],
    ['server_error', 'API Error: 500 Internal server error', { state: 'ERROR' }],
  ])('%s, %s', (error, said, reading) => expect(failed(error, said)).toMatchObject(reading));

  it('tries again soon if the end is just past, and then more and more rarely', () => {
    expect(failed('rate_limit', 'limit · resets 11:20am (UTC)')).toMatchObject({ until: NOW + 60_000 });
    expect(failed('rate_limit', 'limit · resets 11:05am (UTC)')).toMatchObject({ until: NOW + 15 * 60_000 });
  });
});
