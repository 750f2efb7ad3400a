import type { Effect } from '../../../../../daemon/engine/core/run/effect.ts';
import type { Outcome } from '../../../../../daemon/engine/core/run/outcome.ts';
import type { Perform } from '../../../../../daemon/engine/local/perform.ts';

interface Begun {
  effect: Effect;
  signal: AbortSignal;
  settle(outcome?: Outcome): void;
}

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

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
