import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { PASSABLE, type Paths } from '../../schemas/files/paths.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { orElse } from '../../schemas/orElse.ts';
import type { Installation } from '../db/hostId.ts';
import { type MachineId, machineId as readMachine } from './machineId.ts';

const FILE = 'installation-id';
/** After the id in the file: the platform UUID of the Mac belongs to it. Earlier versions did not know that UUID. */
const WITH_PLATFORM = 'platform';

/**
 * The id of this installation on this machine. It comes from the machine's own id and a file that the first start writes into
 * the state directory. So a copy of the files on another machine has another id. `isOfMachine` is false where the system has no
 * id for the machine. Throws `daemon_start_failed` if the machine does not tell its own.
 */
export async function readInstallation(
  { stateDir }: Pick<Paths, 'stateDir'>,
  { machineId, platformUuid }: MachineId = readMachine(),
): Promise<{ id: string; isOfMachine: boolean }> {
  const file = join(stateDir, FILE);
  const made = read(file) ?? write(file, stateDir, (await platformUuid?.()) === undefined ? [] : [WITH_PLATFORM]);
  const [own = '', mark] = made.split(' ');
  const machine = mark === WITH_PLATFORM && platformUuid ? await knownUuid(platformUuid) : machineId;
  const id = sha256hex(machine === undefined ? own : `${own} ${machine}`).slice(0, 32);
  return { id, isOfMachine: machine !== undefined };
}

/**
 * This installation towards its database. Undefined if the machine does not tell its id and has the database itself. No
 * other installation uses such a database, so the id would refuse nothing.
 */
export async function installationFor(
  paths: Pick<Paths, 'stateDir'>,
  ownsDatabase: boolean,
  machine?: MachineId,
): Promise<Installation | undefined> {
  try {
    return { ...(await readInstallation(paths, machine)), ownsDatabase };
  } catch (error) {
    if (ownsDatabase && error instanceof DevflowError && error.code === 'daemon_start_failed') return undefined;
    throw error;
  }
}

/** Without it the id would be another one, and this host another installation. */
async function knownUuid(platformUuid: NonNullable<MachineId['platformUuid']>): Promise<string> {
  const uuid = await platformUuid();
  if (uuid !== undefined) return uuid;
  throw new DevflowError('daemon_start_failed', 'This Mac does not tell its platform UUID (ioreg).', {
    recoveryHint: 'Run devflow up again. Without that UUID devflow does not know whether this host is its own.',
  });
}

/** Undefined if there is nothing in it. */
function read(file: string): string | undefined {
  return orElse(() => readFileSync(file, 'utf8').trim() || undefined);
}

/** Writes the whole file or nothing. If two daemons start at once, the first one's file stays. */
function write(file: string, stateDir: string, marks: readonly string[]): string {
  const made = [randomUUID(), ...marks].join(' ');
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
