import { expect, test } from 'vitest';
import { NOT_TAKEN, nothingTaken, startTaking } from '../../../cli/input/takeHost.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { fakeIo } from '../fakeIo.ts';

/** A start that is refused until the host may be taken. Remembers the arguments of each start. */
function taken({ isUp = false } = {}) {
  const starts: (readonly string[])[] = [];
  const start = async (words: readonly string[]) => {
    starts.push(words);
    if (words.length > 0) return 'up';
    const data = { host: 'vm', machine: 'box', installation: 'i1', isUp };
    throw new DevflowError('host_taken', 'Host vm of this database is another installation of devflow.', { data });
  };
  return { starts, start };
}

test('starts again with the permission for the installation that was found, once a person agrees', async () => {
  const { start, starts } = taken();
  expect(await startTaking(fakeIo(), start, { yes: true })).toEqual({ started: 'up', isUntaken: false });
  expect(starts).toEqual([[], ['--take-from', 'i1']]);
});

test('says what it does, and takes nothing over without an answer', async () => {
  const { start, starts } = taken();
  const io = fakeIo();
  await expect(startTaking(io, start, {})).rejects.toMatchObject({
    code: 'usage',
    message: 'nobody was asked whether to take over host vm',
  });
  expect(io.written.err).toMatch(/^Host vm belongs to another installation of devflow, last on machine box\./);
  const atTerminal = fakeIo({ inIsTty: true, errIsTty: true, input: 'n\n' });
  expect(await startTaking(atTerminal, start, {})).toBe(NOT_TAKEN);
  expect(starts).toEqual([[], []]);
});

test('asks nobody about a host that is up, and refuses with a way on', async () => {
  const { start, starts } = taken({ isUp: true });
  const io = fakeIo();
  await expect(startTaking(io, start, { yes: true })).rejects.toMatchObject({
    code: 'host_taken',
    recoveryHint: expect.stringContaining('devflow down there'),
  });
  expect([io.written.err, starts]).toEqual(['', [[]]]);
});

test('says so where there is nothing to take over, and passes other errors on', async () => {
  const io = fakeIo();
  expect(await startTaking(io, async () => 'up', {})).toEqual({ started: 'up', isUntaken: true });
  const hosts = [
    { id: 'one', here: false },
    { id: 'two', here: true },
  ];
  expect(nothingTaken(hosts)).toBe('No other installation has the id of host two, so nothing was taken over.\n');
  expect(nothingTaken()).toMatch(/ the id of this host, so nothing was taken over/);
  const broken = new Error('no database');
  await expect(startTaking(io, () => Promise.reject(broken), { yes: true })).rejects.toBe(broken);
});
