import { describe, expect, test } from 'vitest';
import type { SetupView } from '../../../schemas/rpc/views/setup.ts';
import { setupNotes, setupSentence, sizeOf } from '../../../schemas/states/setup.ts';

const given = (over: Partial<SetupView> = {}): SetupView => ({
  laneId: 'main',
  state: 'done',
  nth: 1,
  isGuess: false,
  reason: null,
  ms: 1_500,
  placed: [],
  refused: [],
  ports: {},
  changed: [],
  excluded: [],
  ...over,
});

describe('the sentence', () => {
  test.each([
    [{ state: 'running', ms: null }, 'being set up'],
    [{}, 'set up in 1.5s'],
    [{ laneId: 'a' }, 'a: set up in 1.5s'],
    [{ state: 'without', reason: 'npm ci: exit 1' }, 'without set-up'],
    [{ state: 'failed', reason: 'npm ci: exit 1' }, 'the set-up failed: npm ci: exit 1'],
    [
      { state: 'failed', isGuess: true, reason: 'npm ci: exit 1' },
      'the guessed set-up failed: npm ci: exit 1; devflow repository forbid --only worktree keeps devflow from guessing here',
    ],
  ] satisfies [Partial<SetupView>, string][])('of %o', (over, sentence) => {
    expect(setupSentence(given(over))).toBe(sentence);
  });

  test('says what was copied and cloned, and how large it is', () => {
    const placed: SetupView['placed'] = [
      { path: '.env', how: 'copied', files: 1, bytes: 20 },
      { path: 'certs', how: 'copied', files: 3, bytes: 1_004 },
      { path: 'node_modules', how: 'cloned', files: 30_000, bytes: 250 * 1024 * 1024, shared: true },
      { path: 'cache', how: 'linked', files: 1, bytes: 0 },
    ];
    expect(setupSentence(given({ placed }))).toBe(
      'set up in 1.5s (copied .env, certs, 1.0 KB, cloned node_modules, 250 MB, linked cache)',
    );
  });
});

describe('the notes', () => {
  test('are none after a good set-up', () => {
    expect(setupNotes(given())).toEqual([]);
  });

  test('say what it changed, and what no commit gets', () => {
    expect(setupNotes(given({ changed: ['package-lock.json'], excluded: ['.venv/', 'out.txt'] }))).toEqual([
      'The set-up changed package-lock.json, and devflow put it back.',
      'The set-up made .venv/, out.txt, which git does not ignore. No commit of the run gets them.',
    ]);
  });

  test('name the first path that the worktree did not get', () => {
    const refused = [
      { path: 'data', reason: 'is a link out of the checkout' },
      { path: 'more', reason: 'is tracked' },
    ];
    expect(setupNotes(given({ refused }))).toEqual([
      '2 paths of your checkout did not get into the worktree: data is a link out of the checkout.',
    ]);
  });
});

test.each([
  [0, '0 bytes'],
  [512, '512 bytes'],
  [1024, '1.0 KB'],
  [3_565_158, '3.4 MB'],
  [250 * 1024 ** 2, '250 MB'],
  [5 * 1024 ** 5, '5120 TB'],
])('%i bytes are %s', (bytes, size) => {
  expect(sizeOf(bytes)).toBe(size);
});
