import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { beginWatch, endWatch } from '../../../../daemon/engine/performers/watchCheckout.ts';
import { given } from '../../repository/merge/given.ts';

function watched() {
  const at = given();
  return { at, lane: { ...at.place('lane-1'), startCommit: at.base } };
}

test('what changed since the first prompt of a turn is found once, also by a second call after a kill', async () => {
  const { at, lane } = watched();
  await beginWatch(lane);
  at.repo.write({ 'stray.txt': 'written there\n' });
  // A prompt that repeats the first begins no new turn.
  await beginWatch(lane);
  const change = { paths: ['stray.txt'], headMoved: false };
  expect(await endWatch(lane, 'commitWork:A:1')).toEqual(change);
  at.repo.write({ 'later.txt': 'later\n' });
  expect(await endWatch(lane, 'commitWork:A:1')).toEqual(change);
  expect(await endWatch(lane, 'commitWork:B:1')).toBeUndefined();
});

test('each turn begins with a new look', async () => {
  const { at, lane } = watched();
  await beginWatch(lane);
  expect(await endWatch(lane, 'commitWork:A:1')).toBeUndefined();
  at.repo.write({ 'between.txt': 'by the person\n' });
  await beginWatch(lane);
  expect(await endWatch(lane, 'commitWork:B:1')).toBeUndefined();
});

test('a run that an older devflow began says nothing', async () => {
  const { lane } = watched();
  expect(await endWatch(lane, 'commitWork:A:1')).toBeUndefined();
});

test.each(['{}', '{"before":{"files":null}}', '[', '{"before":7,"ended":{}}'])(
  'a planted file %s stops no work',
  async (text) => {
    const { at, lane } = watched();
    await beginWatch(lane);
    const directory = join(dirname(dirname(lane.path)), 'checkout');
    const [name = ''] = readdirSync(directory);
    writeFileSync(join(directory, name), text);
    expect(await endWatch(lane, 'commitWork:A:1')).toBeUndefined();
    await beginWatch(lane);
    at.repo.write({ 'stray.txt': 'written there\n' });
    expect(await endWatch(lane, 'commitWork:B:1')).toEqual({ paths: ['stray.txt'], headMoved: false });
  },
);
