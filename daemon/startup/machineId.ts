import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { DevflowError } from '../../schemas/errors.ts';

/** Tells this machine from others. */
export interface MachineId {
  /** The machine id of a Linux system; undefined if it has none. */
  machineId?: string;
  /** Only on macOS. Undefined if it cannot be read. */
  platformUuid?(): Promise<string | undefined>;
}

export function machineId(): MachineId {
  return process.platform === 'darwin' ? { platformUuid: readPlatformUuid } : { machineId: readMachineId() };
}

/** A directory is what a container gets if it mounts a file that is not there. */
const NO_FILE = ['ENOENT', 'EISDIR'];

/**
 * Undefined if there is none. Throws `daemon_start_failed` if it cannot be read: this machine would count as another one. The
 * product UUID would also tell a clone from its original, but only root can read that. Exported for its test.
 */
export function readMachineId(file = '/etc/machine-id'): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    if (NO_FILE.includes(code)) return undefined;
    throw new DevflowError('daemon_start_failed', `The id of this machine cannot be read: ${message}.`, {
      cause,
      recoveryHint: `Make ${file} readable for this user. Without it devflow does not know whether this host is its own.`,
    });
  }
}

const IOREG_MS = 10_000;

async function readPlatformUuid(): Promise<string | undefined> {
  try {
    const words = ['-rd1', '-c', 'IOPlatformExpertDevice'];
    const { stdout } = await promisify(execFile)('/usr/sbin/ioreg', words, { timeout: IOREG_MS });
    return platformUuidIn(stdout);
  } catch {
    return undefined;
  }
}

/** In what `ioreg` prints about the machine. Exported for its test. */
export function platformUuidIn(printed: string): string | undefined {
  return /"IOPlatformUUID"\s*=\s*"([0-9A-Fa-f-]{36})"/.exec(printed)?.[1];
}
