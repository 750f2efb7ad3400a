/**
 * Calls `act` at the first of each of these signals. A second one ends the process, as it does without a listener.
 *
 * It uses no `process.once`, which removes the listener before it calls it. While a child of execa runs, execa would
 * then find no other listener and take the signal for the end. It would kill this process in the middle of `act`.
 */
export function onFirstSignal(signals: readonly NodeJS.Signals[], act: (signal: NodeJS.Signals) => void): void {
  for (const signal of signals) {
    const listener = () => {
      setImmediate(() => process.off(signal, listener));
      act(signal);
    };
    process.on(signal, listener);
  }
}
