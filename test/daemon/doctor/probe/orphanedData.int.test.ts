import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnoseOrphanedData, removeAllOrphanedData } from '../../../../daemon/doctor/probe/orphanedData.ts';
import { readHomes, recordHome } from '../../../../schemas/embeddedServer/clusterHomes.ts';
import { isServerOf } from '../../../../schemas/embeddedServer/postmasterFile.ts';
import { useEmbedded } from '../../db/givenEmbedded.ts';

const embedded = useEmbedded();
let top: string;
/** Where clusters outside of their homes lie. */
let root: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-orphans-')));
  chmodSync(top, 0o711);
  root = join(top, 'clusters');
  mkdirSync(root, { mode: 0o755 });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const placeOf = (digit: string) => join(root, digit.repeat(16));
const paths = { postgresData: '/nowhere/data/postgres' };
const diagnose = () => diagnoseOrphanedData({ paths, env: process.env, root });
const found = () => removeAllOrphanedData({ paths, root }, []);
/** Confirms all that is found. */
async function remove() {
  const names = (await found()).map(({ name }) => name);
  return (await removeAllOrphanedData({ paths, root }, names)).map(({ status, detail }) => [status, detail]);
}

/** A cluster as far as the doctor looks at it, last used at the end of 2026. */
function givenData(digit: string): string {
  const place = placeOf(digit);
  mkdirSync(join(place, 'global'), { recursive: true });
  writeFileSync(join(place, 'global', 'pg_control'), Buffer.alloc(3_000_000));
  const when = new Date('2026-11-26T12:00:00Z');
  utimesSync(join(place, 'global', 'pg_control'), when, when);
  return place;
}

/** A home that uses it. */
function givenHome(name: string, place: string): string {
  const wanted = join(top, name, 'data', 'postgres');
  mkdirSync(wanted, { recursive: true });
  writeFileSync(join(wanted, 'LOCATION'), `${place}\n`);
  recordHome(place, wanted, root);
  return wanted;
}

test('names data whose homes are gone, and removes them on request', async () => {
  const [lost, copied, used] = ['a', 'b', 'c'].map(givenData) as [string, string, string];
  const gone = givenHome('one', lost);
  givenHome('two', copied);
  givenHome('copy', copied);
  givenHome('three', used);
  mkdirSync(`${lost}.init-x`);
  for (const name of ['one', 'two']) rmSync(join(top, name), { recursive: true });
  expect(await diagnose()).toEqual({
    status: 'warn',
    detail: `1 directory of embedded databases whose home is gone, 3 MB: ${lost} (home ${gone}, last used 2026-11-26)`,
    remediation: 'Remove the data without a home: devflow doctor --remove-orphaned-data.',
  });
  expect((await found()).map(({ detail }) => detail)).toEqual([
    `can be removed: ${lost} (home ${gone}, last used 2026-11-26)`,
  ]);
  expect(await diagnose()).toMatchObject({ status: 'warn' });
  expect(await remove()).toEqual([['pass', `removed ${lost} (home ${gone}, last used 2026-11-26)`]]);
  expect(readdirSync(root).sort()).toEqual(
    [copied, used].flatMap((place) => [place, `${place}.home`]).map((path) => path.slice(root.length + 1)),
  );
  expect(await diagnose()).toMatchObject({ status: 'pass', detail: 'none' });
  expect(await remove()).toEqual([]);
});

test('a home that was made again, or points elsewhere by now', async () => {
  const place = givenData('a');
  const wanted = givenHome('one', place);
  writeFileSync(join(wanted, 'LOCATION'), '/elsewhere\n');
  expect(await diagnose()).toMatchObject({ status: 'warn' });
  writeFileSync(join(wanted, 'LOCATION'), `${place}\n`);
  expect(await diagnose()).toMatchObject({ status: 'pass' });
});

test('keeps data of an older devflow, which recorded no home, and those of this home', async () => {
  const place = givenData('a');
  expect(await diagnose()).toMatchObject({
    status: 'warn',
    detail: expect.stringMatching(
      /^1 directory of an older devflow, .* 3 MB: .* \(home not recorded, last used 2026-11-26\)$/,
    ),
    remediation: expect.not.stringContaining('--remove-orphaned-data'),
  });
  expect(await remove()).toEqual([['warn', `kept ${place} (home not recorded, last used 2026-11-26)`]]);
  const own = join(top, 'own', 'data', 'postgres');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'LOCATION'), place);
  expect(await diagnoseOrphanedData({ paths: { postgresData: own }, env: {}, root })).toMatchObject({ status: 'pass' });
});

test('keeps data of a home whose file system is not mounted, and of one without its LOCATION', async () => {
  const [unmounted, restored, old] = ['a', 'b', 'c'].map(givenData) as [string, string, string];
  givenHome('disk/home', unmounted);
  rmSync(join(givenHome('restored', restored), 'LOCATION'));
  renameSync(join(top, 'disk'), join(top, 'detached'));
  mkdirSync(join(top, 'disk'));
  writeFileSync(`${old}.home`, `${join(top, 'removed', 'data', 'postgres')}\n`);
  expect(await diagnose()).toMatchObject({ status: 'pass' });
  expect(await remove()).toEqual([]);
  rmSync(join(top, 'disk'), { recursive: true });
  renameSync(join(top, 'detached'), join(top, 'disk'));
  rmSync(join(top, 'disk/home'), { recursive: true });
  expect(await remove()).toEqual([['pass', expect.stringContaining(`removed ${unmounted}`)]]);
});

test('keeps each home of a cluster in its record, so that an unmounted one still counts', async () => {
  const place = givenData('a');
  const first = givenHome('disk/one', place);
  renameSync(join(top, 'disk'), join(top, 'detached'));
  const second = givenHome('two', place);
  expect(readHomes(place)).toEqual([first, second]);
  rmSync(join(top, 'two'), { recursive: true });
  mkdirSync(join(top, 'disk'));
  expect(await remove()).toEqual([]);
});

test('keeps data whose server did not end cleanly, because it may run where it is not seen', async () => {
  const place = givenData('a');
  const gone = givenHome('one', place);
  rmSync(join(top, 'one'), { recursive: true });
  // In another pid namespace, this pid is that of another process.
  writeFileSync(join(place, 'postmaster.pid'), `${process.pid}\n${place}\n`);
  expect(await remove()).toEqual([
    [
      'warn',
      `kept ${place} (home ${gone}, last used 2026-11-26): its server was killed, or runs in a container or on another machine`,
    ],
  ]);
  expect(existsSync(join(place, 'global', 'pg_control'))).toBe(true);
});

test('keeps data on which a server runs', async () => {
  const { options, givenCluster, open } = embedded();
  const place = placeOf('a');
  options.dataDir = place;
  givenCluster();
  const { serverPid = 0 } = await open();
  const gone = givenHome('one', place);
  rmSync(join(top, 'one'), { recursive: true });
  expect((await diagnose()).detail).toContain(`(home ${gone}, last used`);
  expect((await diagnose()).detail).toContain(`its server ${serverPid} runs`);
  const [kept] = await found();
  expect(kept).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining(': its server runs'),
    remediation: `End the server first: kill -INT ${serverPid}.`,
  });
  expect(isServerOf(serverPid, place)).toBe(true);
});
