import { expect, it, onTestFinished } from 'vitest';
import { collectWhenQuiet, lookAt } from '../../../daemon/system/collectWhenQuiet.ts';

/** A process that uses this much processor time and memory until each look. */
function given(looks: { cpuMs: number; held: number }[], floor: number) {
  let collections = 0;
  let [used, held] = [0, floor];
  const look = lookAt({
    cpuMs: () => used,
    heldBytes: () => held,
    collect() {
      collections += 1;
      held = floor;
    },
  });
  return looks.map((now) => {
    used += now.cpuMs;
    held = now.held;
    look();
    return collections;
  });
}

const BUSY = { cpuMs: 900, held: 90_000_000 };
const QUIET = { cpuMs: 5, held: 90_000_000 };

it('collects once after work, and not while there is work', () => {
  expect(given([BUSY, BUSY, QUIET], 30_000_000)).toEqual([0, 0, 1]);
});

it('does not collect again before there is something to collect', () => {
  const rest = { cpuMs: 5, held: 30_500_000 };
  expect(given([QUIET, rest, rest, QUIET], 30_000_000)).toEqual([1, 1, 1, 2]);
});

it('gives the memory of dropped buffers back', async () => {
  let buffers: Buffer[] | undefined = Array.from({ length: 64 }, () => Buffer.alloc(1_000_000));
  // Earlier tests may have left buffers that go too, so compare with the size before the collection.
  const held = process.memoryUsage().external;
  buffers = undefined;
  onTestFinished(collectWhenQuiet(undefined, 20));
  await expect.poll(() => held - process.memoryUsage().external).toBeGreaterThan(60_000_000);
  expect(buffers).toBeUndefined();
  expect(globalThis.gc).toBeUndefined();
});
