import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installationFor, readInstallation } from '../../../daemon/startup/installation.ts';
import { platformUuidIn, readMachineId } from '../../../daemon/startup/machineId.ts';

let stateDir = '';
beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), 'devflow-installation-')), 'state');
});
afterEach(() => rmSync(join(stateDir, '..'), { recursive: true, force: true }));

/** A machine with `/etc/machine-id`. */
const linux = (machineId: string) => ({ machineId });
const mac = (uuid: string | undefined) => ({ platformUuid: async () => uuid });
const file = () => join(stateDir, 'installation-id');

test('an installation has the same id at every start, and a copy of it on another machine another one', async () => {
  const here = await readInstallation({ stateDir }, linux('machine 1'));
  expect(here).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), isOfMachine: true });
  expect(await readInstallation({ stateDir }, linux('machine 1'))).toEqual(here);
  const there = await readInstallation({ stateDir }, linux('machine 2'));
  expect(there.id).not.toBe(here.id);
  // A home on a network disk goes from machine to machine.
  expect(await readInstallation({ stateDir }, linux('machine 1'))).toEqual(here);
});

test('ids of earlier versions stay', async () => {
  mkdirSync(stateDir);
  writeFileSync(file(), '01928374-aaaa-4bbb-8ccc-0123456789ab\n');
  const known = { id: '9846a26ff5369e85c7e70930819a6b6b', isOfMachine: true };
  expect(await readInstallation({ stateDir }, linux('machine 1'))).toEqual(known);
  // Earlier versions had no id of a Mac.
  const nameless = { id: '74af4fc71de2d7bd6f82b5e7a4923593', isOfMachine: false };
  expect(await readInstallation({ stateDir }, mac('UUID-1'))).toEqual(nameless);
});

test('says when nothing tells this machine from another one', async () => {
  expect(await readInstallation({ stateDir }, {})).toMatchObject({ isOfMachine: false });
  rmSync(file());
  expect(await readInstallation({ stateDir }, mac(undefined))).toMatchObject({ isOfMachine: false });
});

test('a Mac is known by its platform UUID, and never gets another id because that cannot be read', async () => {
  const here = await readInstallation({ stateDir }, mac('UUID-1'));
  expect(here.isOfMachine).toBe(true);
  expect(await readInstallation({ stateDir }, mac('UUID-1'))).toEqual(here);
  await expect(readInstallation({ stateDir }, mac(undefined))).rejects.toMatchObject({ code: 'daemon_start_failed' });
  expect((await readInstallation({ stateDir }, mac('UUID-2'))).id).not.toBe(here.id);
  // The files of a Mac on another system.
  const moved = await readInstallation({ stateDir }, linux('machine 1'));
  expect(moved).toMatchObject({ isOfMachine: true });
  expect(moved.id).not.toBe(here.id);
  expect(await readInstallation({ stateDir }, {})).toMatchObject({ isOfMachine: false });
});

test('a database on this machine needs no id of the machine', async () => {
  const here = await installationFor({ stateDir }, true, mac('UUID-1'));
  expect(here).toMatchObject({ isOfMachine: true, ownsDatabase: true });
  expect(await installationFor({ stateDir }, true, mac(undefined))).toBeUndefined();
  await expect(installationFor({ stateDir }, false, mac(undefined))).rejects.toMatchObject({
    code: 'daemon_start_failed',
  });
});

test('a machine has no id only where there is none, and not because that cannot be read', () => {
  const place = join(stateDir, '..', 'machine-id');
  expect([readMachineId(place), readMachineId(join(stateDir, '..'))]).toEqual([undefined, undefined]);
  writeFileSync(place, '\n');
  expect(readMachineId(place)).toBeUndefined();
  writeFileSync(place, 'abc\n');
  expect(readMachineId(place)).toBe('abc');
  expect(() => readMachineId(join(place, 'below'))).toThrow(
    expect.objectContaining({ code: 'daemon_start_failed', message: expect.stringContaining('ENOTDIR') }),
  );
});

test('finds the platform UUID in what ioreg prints', () => {
  const printed = `+-o J314sAP  <class IOPlatformExpertDevice, id 0x10000023a, registered, matched, active, busy 0, retain 41>
    {
      "manufacturer" = <"Apple Inc.">
      "compatible" = <"J314sAP","MacBookPro18,3","AppleARM">
      "IOPlatformSerialNumber" = "XYZ0123456"
      "IOPlatformUUID" = "5C2F3A10-94D6-5B3E-9E4F-0A1B2C3D4E5F"
      "model" = <"MacBookPro18,3">
    }
`;
  expect(platformUuidIn(printed)).toBe('5C2F3A10-94D6-5B3E-9E4F-0A1B2C3D4E5F');
  expect(platformUuidIn('')).toBeUndefined();
  expect(platformUuidIn('"IOPlatformUUID" = ""')).toBeUndefined();
});

test('an empty file is filled', async () => {
  await readInstallation({ stateDir }, linux('machine 1'));
  writeFileSync(file(), '');
  const { id } = await readInstallation({ stateDir }, linux('machine 1'));
  expect(readFileSync(file(), 'utf8')).not.toBe('');
  expect((await readInstallation({ stateDir }, linux('machine 1'))).id).toBe(id);
});
