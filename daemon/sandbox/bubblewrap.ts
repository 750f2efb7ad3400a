import { inOrder, type Mount } from './mounts.ts';

export interface Enclosure {
  mounts: readonly Mount[];
  cwd: string;
  network: boolean;
  /** Root whose programs make sandboxes of their own inside. */
  nestsAsRoot?: boolean;
}

/**
 * The arguments of bubblewrap. In a namespace of its own, a program cannot name processes outside. So it cannot signal them,
 * nor read their memory or environment. It keeps its terminal, because a new session would get no changes of its size. The
 * filter of system calls keeps it from typing there. Pure.
 */
export function bubblewrapArguments({ mounts, cwd, network, nestsAsRoot = false }: Enclosure): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    // When devflow's wrapper ends, everything inside ends.
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
    // Linux lets nobody map root into a further namespace without it. It counts for the files of root alone.
    ...(nestsAsRoot ? ['--cap-add', 'CAP_SETFCAP'] : []),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...inOrder(mounts).flatMap(argumentsOf),
    ...['--remount-ro', '/', '--chdir', cwd],
  ];
}

function argumentsOf(mount: Mount): string[] {
  switch (mount.how) {
    case 'read':
      return ['--ro-bind', mount.from ?? mount.path, mount.path];
    case 'write':
      return ['--bind', mount.from ?? mount.path, mount.path];
    case 'empty':
      return ['--perms', '0700', '--tmpfs', mount.path];
    case 'nothing':
      return ['--ro-bind', '/dev/null', mount.path];
    case 'link':
      return ['--symlink', mount.to, mount.path];
    default:
      return mount satisfies never;
  }
}
