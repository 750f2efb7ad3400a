import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { movedLink, relocatedText } from '../../../daemon/setup/relocate.ts';

const MOVE = { checkout: '/home/me/app', worktree: '/ws/run/main' };

describe('a link of a checkout, in a worktree', () => {
  it.each([
    ['../lib/x', 'node_modules/.bin/x', '../lib/x'],
    ['../../packages/a', 'node_modules/@me/a', '../../packages/a'],
    ['/usr/bin/python3', '.venv/bin/python', '/usr/bin/python3'],
    ['/home/me/app/src', 'node_modules/me', '/ws/run/main/src'],
    ['/home/me/app', 'self', '/ws/run/main'],
    ['/home/me/application', 'other', '/home/me/application'],
    ['../shared/.env', '.env', '/home/me/shared/.env'],
    ['../../../x', 'a/b', '/home/x'],
  ])('%s at %s leads to %s', (target, path, expected) => expect(movedLink(target, path, MOVE)).toBe(expected));
});

describe('a text of a checkout, in a worktree', () => {
  it('names the worktree', () => {
    const text = '#!/home/me/app/.venv/bin/python\nsys.path = [\'/home/me/app\', "/home/me/app/src"]\n';
    expect(relocatedText(text, MOVE)).toBe(
      '#!/ws/run/main/.venv/bin/python\nsys.path = [\'/ws/run/main\', "/ws/run/main/src"]\n',
    );
    expect(relocatedText('file:///home/me/app/x', MOVE)).toBe('file:///ws/run/main/x');
  });

  it.each(['/home/me/app2/x', '/home/me/app-old', '/mnt/home/me/app/x', 'a\0/home/me/app', 'nothing'])(
    'keeps %j',
    (text) => expect(relocatedText(text, MOVE)).toBe(text),
  );

  it('starts by the shell where Linux would cut its first line', () => {
    const worktree = `/ws/${'long/'.repeat(60)}main`;
    const text = '#!/home/me/app/.venv/bin/python -E\nprint("x")\n';
    const moved = relocatedText(text, { ...MOVE, worktree });
    expect(moved.split('\n')).toEqual([
      '#!/bin/sh',
      `'''exec' "${worktree}/.venv/bin/python" -E "$0" "$@"`,
      "' '''",
      'print("x")',
      '',
    ]);
    const head = moved.replace('print("x")\n', '');
    expect(() => execFileSync('sh', ['-n'], { input: head })).not.toThrow();
  });
});
