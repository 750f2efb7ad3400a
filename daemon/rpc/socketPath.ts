import { randomUUID } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, with its closing zero. */
const LIMIT = process.platform === 'darwin' ? 103 : 107;

/** Throws on a path that the system would cut off without a word. */
export function checkLength(socketPath: string): void {
  const length = Buffer.byteLength(socketPath);
  if (length < LIMIT) return;
  throw new DevflowError('config_invalid', `the socket path is ${length} bytes long, ${LIMIT - 1} fit: ${socketPath}`, {
    recoveryHint: 'Choose a shorter DEVFLOW_HOME.',
  });
}

/** Makes the directory that only this user may enter; tightens it when it is ours and open to others. */
export function prepareDirectory(socketPath: string): void {
  const directory = dirname(socketPath);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(directory);
  const ours = uid === process.getuid?.();
  if (ours && (mode & 0o077) === 0) return;
  const sticky = (mode & 0o1000) !== 0;
  if (sticky || !ours) {
    throw new DevflowError('workspace_permissions', `others may enter ${directory}, where the socket would be`, {
      recoveryHint: 'Give devflow a directory of its own: set DEVFLOW_HOME.',
    });
  }
  chmodSync(directory, 0o700);
}

/**
 * Removes a socket that nobody answers on; throws `daemon_running` when somebody does. The file is moved aside before
 * it goes, so that a daemon that took the path since we asked is noticed by its other inode and put back.
 */
export async function removeStale(socketPath: string): Promise<void> {
  const before = identity(socketPath);
  if (before === undefined) return;
  if (await answers(socketPath)) throw new DevflowError('daemon_running', `a daemon answers on ${socketPath}`);
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
    throw new DevflowError('daemon_running', `another daemon has just taken ${socketPath}`);
  }
  unlinkSync(aside);
}

/** A name for this very file; mtime too, because file systems use inode numbers again. */
function identity(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isSocket()) throw new DevflowError('config_invalid', `${path} is in the way: it is no socket`);
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
    // Only a refusal proves that nobody listens; a full backlog (EAGAIN), for one, is a sign of life.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
