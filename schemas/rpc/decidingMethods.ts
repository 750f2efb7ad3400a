import type { MethodName } from './methods/index.ts';

const DECIDING: readonly MethodName[] = [
  ...(['approval.decide', 'run.start', 'run.pause', 'run.resume', 'run.abort'] as const),
  ...(['run.cleanup', 'daemon.stop'] as const),
];

/** Whether only a person may call the method: it decides a gate, changes a run or stops the daemon. */
export function isDeciding(method: string): boolean {
  return DECIDING.some((each) => each === method);
}
