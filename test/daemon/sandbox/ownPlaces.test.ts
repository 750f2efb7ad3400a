import { expect, it } from 'vitest';
import { homeIn, outsideEnvironment, outsidePath, ownPlaces } from '../../../daemon/sandbox/ownPlaces.ts';

const env = { HOME: '/home/ada', XDG_CACHE_HOME: '/data/cache', XDG_CONFIG_HOME: '/home/ada/.config' };
const places = ownPlaces('/s', env, ['/data/state', '/home/ada/.claude']);

it('gives a sandbox its own home, temporary files, and directories outside of them', () => {
  expect(places.slice(0, 3)).toEqual([
    { inside: '/tmp', outside: '/s/tmp' },
    { inside: '/var/tmp', outside: '/s/tmp' },
    { inside: '/home/ada', outside: '/s/home' },
  ]);
  expect(places.slice(3).map(({ inside }) => inside)).toEqual(['/data/cache', '/data/state']);
});

it.each([
  ['/home/ada/.claude/projects/x.jsonl', '/s/home/.claude/projects/x.jsonl'],
  ['/home/ada', '/s/home'],
  ['/home/adam/x', '/home/adam/x'],
  ['/tmp/x', '/s/tmp/x'],
  ['/w/main/x', '/w/main/x'],
])('knows where %s is outside', (inside, outside) => expect(outsidePath(inside, places)).toBe(outside));

it('translates the paths of an environment', () => {
  expect(outsideEnvironment({ HOME: '/home/ada', TERM: 'xterm', A: '/usr/x' }, places)).toEqual({
    HOME: '/s/home',
    TERM: 'xterm',
    A: '/usr/x',
  });
});

it('replaces no home above the system', () => {
  expect([homeIn({ HOME: '/' }), homeIn({ HOME: 'x' }), homeIn({}), homeIn({ HOME: '/root/' })]).toEqual([
    undefined,
    undefined,
    undefined,
    '/root',
  ]);
});
