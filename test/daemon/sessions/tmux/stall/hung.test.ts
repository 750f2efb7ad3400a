import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clockMs, type ProcessUse, readProcessTree } from '../../../../../daemon/sessions/tmux/process/processTree.ts';
import {
  hungAt,
  masked,
  nextProgress,
  type Progress,
  type Sample,
} from '../../../../../daemon/sessions/tmux/stall/hung.ts';

const EVERY = 60_000;
const MAX = 20 * 60_000;
const AGENT: ProcessUse = { key: 'agent', isOwn: true, cpuMs: 0, endedCpuMs: 0 };
const TOOL: ProcessUse = { key: 'tool', isOwn: false, cpuMs: 0, endedCpuMs: 0 };

/** Half an hour of samples, each made from its number. */
function following(sampleOf: (nth: number) => Partial<Sample>, count = 30, every = EVERY): Progress {
  let progress: Progress | undefined;
  for (let nth = 0; nth <= count; nth++) {
    const sample = { at: nth * every, outputAt: 0, screen: 'Crunching', processes: [AGENT], ...sampleOf(nth) };
    progress = nextProgress(progress, sample, EVERY);
  }
  return progress as Progress;
}
const used = (each: ProcessUse, cpuMs: number): ProcessUse => ({ ...each, cpuMs });

describe('a busy agent', () => {
  it.each<[string, string, (nth: number) => Partial<Sample>]>([
    ['silent and idle', 'no output and no CPU for 20m 00s', () => ({})],
    [
      'silent, with a timer now and then',
      'no output and no CPU for 20m 00s',
      (nth) => ({ processes: [used(AGENT, nth * 40)] }),
    ],
    [
      'a spinner',
      'a spinner without progress for 20m 00s',
      (nth) => ({ outputAt: nth, processes: [used(AGENT, nth * 900)] }),
    ],
    ['gone from the list of processes', 'no output and no CPU for 20m 00s', () => ({ processes: [] })],
  ])('%s is hung: %s', (_, words, sampleOf) => expect(hungAt(following(sampleOf), MAX)).toBe(words));

  it.each<[string, string, (nth: number) => Partial<Sample>]>([
    [
      'silent, and works itself',
      'its processes used 200 ms of CPU',
      (nth) => ({ processes: [used(AGENT, nth * 200)] }),
    ],
    [
      'silent, and a tool works',
      'its processes used 200 ms of CPU',
      (nth) => ({ processes: [AGENT, used(TOOL, nth * 200)] }),
    ],
    [
      'a spinner over a tool that works',
      'its processes used 200 ms of CPU',
      (nth) => ({ outputAt: nth, processes: [used(AGENT, nth * 900), used(TOOL, nth * 200)] }),
    ],
    [
      'a spinner over tools that come and go',
      'its processes used 300 ms of CPU',
      (nth) => ({ outputAt: nth, processes: [{ ...used(AGENT, nth * 900), endedCpuMs: nth * 300 }] }),
    ],
    [
      'what it prints changes what it shows',
      'its screen changed',
      (nth) => ({ outputAt: nth, screen: `line ${'x'.repeat(nth)}` }),
    ],
  ])('%s is not: %s', (_, by, sampleOf) => {
    const progress = following(sampleOf);
    expect(hungAt(progress, MAX)).toBeUndefined();
    expect(progress).toMatchObject({ stillMs: 0, by });
  });

  it('is not hung while its tool works on a busy machine, which gives it little time between two samples', () => {
    // 40 ms in each 300 ms. A quarter of the limit is the time between two samples.
    const limit = 1200;
    const sampleOf = (nth: number) => ({ processes: [AGENT, used(TOOL, nth * 40)] });
    const longest = Math.max(
      ...Array.from({ length: 30 }, (_, count) => following(sampleOf, count, limit / 4).stillMs),
    );
    expect(longest).toBeLessThan(limit / 2);
  });

  it('makes progress by one burst late in a silence, however long that was', () => {
    // It takes the limit of the whole silence to exceed what the burst used.
    const sampleOf = (nth: number) => ({ processes: [AGENT, used(TOOL, nth < 17 ? 0 : 1_200)] });
    expect(following(sampleOf, 17)).toMatchObject({ stillMs: 0, by: 'its processes used 1200 ms of CPU' });
    expect(hungAt(following(sampleOf, 20), MAX)).toBeUndefined();
  });

  it('is hung after the limit, and not before', () => {
    expect(
      hungAt(
        following(() => ({}), 19),
        MAX,
      ),
    ).toBeUndefined();
    expect(
      hungAt(
        following(() => ({}), 20),
        MAX,
      ),
    ).toBeDefined();
  });

  it('is no longer hung once it moves', () => {
    const hung = following(() => ({}));
    const moved = { ...hung.last, at: hung.last.at + EVERY, outputAt: 1, screen: 'Done' };
    expect(hungAt(nextProgress(hung, moved, EVERY), MAX)).toBeUndefined();
  });

  it('is not hung only because nobody looked for long', () => {
    const [before, later] = [following(() => ({}), 1), following(() => ({}), 2, 10 * EVERY)];
    expect(before.stillMs).toBe(EVERY);
    expect(later.stillMs).toBe(4 * EVERY);
  });
});

it('ignores spinners and counters on the screen', () => {
  const shown = (...lines: string[]) => masked({ lines });
  expect(shown('✢ Crunching… (59s · 1.2k tokens)')).toBe(shown('✻ Crunching… (1m 3s · 9.9k tokens)'));
  expect(shown('⠋ working')).toBe(shown('⠙ \x1b[31mworking'));
  expect(shown('● one')).not.toBe(shown('● two'));
});

it.each([
  ['0:00.03', 30],
  ['12:34', 754_000],
  ['01:00:00', 3_600_000],
  ['2-01:00:01', 176_401_000],
])('a time of ps, %s, is %i ms', (text, ms) => expect(clockMs(text)).toBe(ms));

it.runIf(process.platform === 'linux')('a tree has what a process started, and what that uses', async () => {
  const child = spawn('/bin/sh', ['-c', 'sleep 100 & echo started; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => void process.kill(-(child.pid as number), 'SIGKILL'));
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  const tree = await readProcessTree(child.pid as number);
  expect(tree.map(({ isOwn }) => isOwn)).toEqual([true, true]);
  const mine = (await readProcessTree(process.pid)).find(({ key }) => key.startsWith(`${process.pid} `));
  expect(mine?.cpuMs).toBeGreaterThan(0);
  expect(await readProcessTree(2 ** 22 + 1)).toEqual([]);
});
