import { randomUUID } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, with its closing zero. */
const LIMIT = process.platform === 'darwin' ? 103 : 107;

/** Throws on a path that the system would truncate silently. */
export function checkLength(socketPath: string): void {
  const length = Buffer.byteLength(socketPath);
  if (length < LIMIT) return;
  throw new DevflowError(
    'config_invalid',
    `The socket path has ${length} bytes, but at most ${LIMIT - 1} fit: ${socketPath}.`,
    {
      recoveryHint: 'Choose a shorter DEVFLOW_HOME.',
    },
  );
}

/** Creates a directory that only this user may enter. If it is ours and open to others, it restricts it. */
export function prepareDirectory(socketPath: string): void {
  const directory = dirname(socketPath);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(directory);
  const ours = uid === process.getuid?.();
  if (ours && (mode & 0o077) === 0) return;
  const sticky = (mode & 0o1000) !== 0;
  if (sticky || !ours) {
    throw new DevflowError('workspace_permissions', `Other users may enter ${directory}, where the socket would be.`, {
      recoveryHint: 'Give devflow a separate directory: set DEVFLOW_HOME.',
    });
  }
  chmodSync(directory, 0o700);
}

/**
 * Removes a socket on which nobody answers; throws `daemon_running` if somebody does. It moves the file aside first. If
 * a daemon has taken the path meanwhile, the other inode shows it, and the file goes back.
 */
export async function removeStale(socketPath: string): Promise<void> {
  const before = identity(socketPath);
  if (before === undefined) return;
  if (await answers(socketPath)) throw new DevflowError('daemon_running', `A daemon already answers on ${socketPath}.`);
  const aside = `${socketPath}.${randomUUID().slice(0, 8)}`;
  try {
    renameSync(socketPath, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (identity(aside) !== before) {
    linkSync(aside, socketPath);
    unlinkSync(aside);
    throw new DevflowError('daemon_running', `Another daemon has just taken ${socketPath}.`);
  }
  unlinkSync(aside);
}

/** Identifies this very file. It includes mtime because file systems reuse inode numbers. */
function identity(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isSocket()) throw new DevflowError('config_invalid', `${path} is not a socket: move it away.`);
  return `${stat.dev}:${stat.ino}:${stat.mtimeNs}`;
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.on('connect', () => settle(true));
    // Only a refused connection proves that nobody listens. A full backlog (EAGAIN) means that somebody does.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
