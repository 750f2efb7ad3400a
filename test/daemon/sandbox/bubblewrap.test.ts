import { describe, expect, it } from 'vitest';
import { bubblewrapArguments } from '../../../daemon/sandbox/bubblewrap.ts';
import { inOrder, type Mount, withHidden } from '../../../daemon/sandbox/mounts.ts';

const argumentsOf = (mounts: Mount[], network = true) => bubblewrapArguments({ mounts, cwd: '/w/main', network });
const wordsAfter = (list: string[], word: string) => list.slice(list.indexOf(word) + 1, list.indexOf(word) + 3);

describe('the arguments of bubblewrap', () => {
  it('give every kind of namespace but the network, no capability, and end with the wrapper', () => {
    expect(argumentsOf([])).toEqual([
      ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
      ...['--die-with-parent', '--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev'],
      ...['--remount-ro', '/', '--chdir', '/w/main'],
    ]);
  });

  it('take the network away', () => {
    expect(argumentsOf([], false)).toContain('--unshare-net');
  });

  it('make no new session, which would get no changes of the size of the terminal', () => {
    expect(argumentsOf([])).not.toContain('--new-session');
  });

  it('say how each path is shown', () => {
    const list = argumentsOf([
      { path: '/usr', how: 'read' },
      { path: '/bin', how: 'link', to: 'usr/bin' },
      { path: '/tmp', how: 'write', from: '/s/tmp' },
      { path: '/etc/shadow', how: 'nothing' },
      { path: '/w', how: 'empty' },
    ]);
    expect(wordsAfter(list, '--ro-bind')).toEqual(['/usr', '/usr']);
    expect(wordsAfter(list, '--symlink')).toEqual(['usr/bin', '/bin']);
    expect(wordsAfter(list, '--bind')).toEqual(['/s/tmp', '/tmp']);
    expect(list.join(' ')).toContain('--ro-bind /dev/null /etc/shadow');
    expect(list.join(' ')).toContain('--perms 0700 --tmpfs /w');
  });

  it('mount outer paths first, and of two mounts of one path the last', () => {
    const mounts: Mount[] = [
      { path: '/a/b/c', how: 'read' },
      { path: '/a', how: 'read' },
      { path: '/a/b', how: 'empty' },
      { path: '/a', how: 'write' },
    ];
    expect(inOrder(mounts).map(({ path, how }) => [path, how])).toEqual([
      ['/a', 'write'],
      ['/a/b', 'empty'],
      ['/a/b/c', 'read'],
    ]);
  });
});

describe('hidden directories', () => {
  const hide = (mounts: Mount[], hidden: string[]) => withHidden(mounts, hidden).slice(mounts.length);

  it('are empty where another mount would show them', () => {
    expect(hide([{ path: '/opt', how: 'read' }], ['/opt/devflow', '/home/ada/devflow'])).toEqual([
      { path: '/opt/devflow', how: 'empty' },
    ]);
  });

  it('need nothing in a directory that is not that of the machine', () => {
    expect(hide([{ path: '/home/ada', how: 'write', from: '/s/home' }], ['/home/ada/devflow'])).toEqual([]);
  });

  it('are hidden even if a person named a directory above them', () => {
    expect(hide([{ path: '/', how: 'write' }], ['/home/ada/devflow'])).toHaveLength(1);
  });
});
