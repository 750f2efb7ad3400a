import { expect, it } from 'vitest';
import { SharedExclusiveLock } from '../../../tmux/control/sharedExclusiveLock.ts';

/** Work that is ended by hand, and what was going on, in order. */
function given() {
  const turns = new SharedExclusiveLock();
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    log.push(`${name} begins`);
    return new Promise<void>((resolve) => {
      ends.set(name, () => {
        log.push(`${name} ends`);
        resolve();
      });
    });
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { turns, log, work, end, settle };
}

it('runs shared work together, then one exclusive holder, then the rest', async () => {
  const { turns, log, work, end, settle } = given();
  void turns.shared(work('a'));
  void turns.shared(work('b'));
  void turns.exclusive(work('alone'));
  void turns.shared(work('late'));
  await settle();
  await end('a');
  expect(log).toEqual(['a begins', 'b begins', 'a ends']);
  await end('b');
  expect(log.at(-1)).toBe('alone begins');
  await end('alone');
  expect(log.slice(-2)).toEqual(['alone ends', 'late begins']);
});

it('continues after a failure', async () => {
  const { turns } = given();
  const fail = () => Promise.reject(new Error('no'));
  await expect(turns.exclusive(fail)).rejects.toThrow('no');
  await expect(turns.shared(fail)).rejects.toThrow('no');
  expect(await turns.exclusive(async () => 1)).toBe(1);
  expect(await turns.shared(async () => 2)).toBe(2);
});
