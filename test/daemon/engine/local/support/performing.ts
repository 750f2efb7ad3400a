import type { Effect } from '../../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../../daemon/core/effect/outcome.ts';
import type { Perform } from '../../../../../daemon/engine/local/perform.ts';
import type { PerformerPorts } from '../../../../../daemon/engine/performers/performer.ts';
import { systemClock } from '../../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../../daemon/system/faults.ts';

interface Begun {
  effect: Effect;
  signal: AbortSignal;
  settle(outcome?: Outcome): void;
}

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** What performers need that only work on git repositories and run commands. */
export const gitPorts = {
  clock: systemClock,
  faults: noFaults,
  log: silent,
  config: { git: { filters: [] } },
  openRuns: () => [],
  refusedAt: () => [],
  worktrees: { report() {}, end() {}, copied() {}, endCopy() {} },
  gitCommands: { add: async () => {} },
} as unknown as PerformerPorts;

/** A `perform` whose promises the test settles, and the started effects in order. */
export function givenPerform() {
  const begun: Begun[] = [];
  const perform: Perform = (effect, signal) =>
    new Promise((settle) => {
      begun.push({ effect, signal, settle });
    });
  const last = (): Begun => {
    const newest = begun.at(-1);
    if (!newest) throw new TypeError('nothing was begun');
    return newest;
  };
  return { perform, begun, last, types: () => begun.map(({ effect }) => effect.type) };
}

/** Waits until everything is done that does not depend on anything outside. */
export const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));
