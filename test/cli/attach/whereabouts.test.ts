import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whereabouts } from '../../../cli/attach/whereabouts.ts';

const AGENTS = '/tmp/tmux-0/devflow';

test.each([
  ['no tmux', {}, { place: 'outside' }],
  ['a pane of the same server', { TMUX: `${AGENTS},12,3` }, { place: 'here', socketPath: AGENTS, session: '$3' }],
  [
    'a pane of another server',
    { TMUX: '/tmp/tmux-0/default,9,0' },
    { place: 'elsewhere', socketPath: '/tmp/tmux-0/default', session: '$0' },
  ],
])('%s', (_name, env, expected) => {
  expect(whereabouts(env, AGENTS)).toEqual(expected);
});

test('one server by two names is one server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-where-'));
  try {
    const socket = join(directory, 'real');
    writeFileSync(socket, '');
    symlinkSync(socket, join(directory, 'other'));
    expect(whereabouts({ TMUX: `${join(directory, 'other')},1,0` }, socket)).toMatchObject({ place: 'here' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
