import type { MethodName } from './index.ts';

const DECIDING: readonly MethodName[] = [
  'approval.decide',
  'run.start',
  'run.pause',
  'run.resume',
  'run.abort',
  'run.apply',
  'run.cleanup',
  'daemon.stop',
];

/** Whether only a person may call it: it decides a gate, changes a run or stops the daemon. A dry run changes nothing. */
export function isDeciding(method: string, params: unknown): boolean {
  const isDryRun = (params as { dryRun?: unknown } | undefined)?.dryRun === true;
  return !isDryRun && DECIDING.some((each) => each === method);
}
