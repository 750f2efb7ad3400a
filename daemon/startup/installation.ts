import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASSABLE, type Paths } from '../../schemas/files/paths.ts';
import { sha256hex } from '../../schemas/hash.ts';

const FILE = 'installation-id';
const MACHINE_ID = '/etc/machine-id';

/**
 * The id of this installation on this machine. A file in the state directory makes it, at the first start, together with the
 * machine's own id: so a copy of the files on another machine has another one. `isOfMachine` is false where the system has no
 * id for the machine.
 */
export function readInstallation(
  { stateDir }: Pick<Paths, 'stateDir'>,
  machine: string | null = read(MACHINE_ID) ?? null,
): { id: string; isOfMachine: boolean } {
  const file = join(stateDir, FILE);
  const own = read(file) ?? write(file, stateDir);
  const id = sha256hex(machine === null ? own : `${own} ${machine}`).slice(0, 32);
  return { id, isOfMachine: machine !== null };
}

/** Undefined if there is nothing in it. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all. Of two daemons that start at once, the first one's file stays. */
function write(file: string, stateDir: string): string {
  const made = randomUUID();
  const draft = `${file}.${process.pid}`;
  mkdirSync(stateDir, { recursive: true, mode: PASSABLE });
  writeFileSync(draft, `${made}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const first = read(file);
    if (first !== undefined) return first;
    // It is empty: a disk was full.
    writeFileSync(file, `${made}\n`);
    return made;
  } finally {
    rmSync(draft, { force: true });
  }
}
