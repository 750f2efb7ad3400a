import { expect, it } from 'vitest';
import { seatbeltProfile } from '../../../daemon/sandbox/seatbelt.ts';

const given = {
  mounts: [
    { path: '/usr', how: 'read' },
    { path: '/Users/ada/.nvm', how: 'read' },
    { path: '/Users/ada/w/main', how: 'write' },
    { path: '/Users/ada/w/main/.git', how: 'read' },
    { path: '/opt/devflow', how: 'empty' },
  ] as const,
  own: [
    { inside: '/tmp', outside: '/s/tmp' },
    { inside: '/Users/ada', outside: '/s/home' },
    { inside: '/Users/ada/.claude', outside: '/s/own' },
  ],
  home: '/Users/ada',
  temporary: '/s/tmp',
  network: true,
};

it('forbids to write anywhere else, to read the rest of the home, and to signal others', () => {
  expect(seatbeltProfile(given).split('\n')).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/Users/ada/w/main"))',
    '(deny file-write* (subpath "/Users/ada/w/main/.git"))',
    '(allow file-write* (subpath "/Users/ada/.claude"))',
    '(allow file-write* (subpath "/s/tmp"))',
    '(allow file-write* (regex #"^/dev/(null|zero|tty|ttys[0-9]+|ptmx|dtracehelper)$"))',
    '(deny file-read* (subpath "/Users/ada"))',
    '(allow file-read-metadata (subpath "/Users/ada"))',
    '(deny file-read* (subpath "/opt/devflow"))',
    '(allow file-read* (subpath "/Users/ada/.nvm"))',
    '(allow file-read* (subpath "/Users/ada/w/main"))',
    '(allow file-read* (subpath "/Users/ada/w/main/.git"))',
    '(allow file-read* (subpath "/Users/ada/.claude"))',
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    '(deny process-info* (target others))',
    '',
  ]);
});

it('takes the network away, and quotes paths', () => {
  const profile = seatbeltProfile({ ...given, network: false, mounts: [{ path: '/w/a"b\\c', how: 'write' }] });
  expect(profile).toContain('(deny network*)');
  expect(profile).toContain(String.raw`(allow file-write* (subpath "/w/a\"b\\c"))`);
});
