import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** What tells this machine from others. */
export interface MachineId {
  /** Of a Linux system; undefined if it has none. */
  machineId?: string;
  /** Only on macOS. Undefined if it cannot be read. */
  platformUuid?(): Promise<string | undefined>;
}

export function machineId(): MachineId {
  return process.platform === 'darwin' ? { platformUuid: readPlatformUuid } : { machineId: readMachineId() };
}

/** The product UUID would also tell a clone from its original, but only root can read that. */
function readMachineId(): string | undefined {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || undefined;
  } catch {
    return undefined;
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
