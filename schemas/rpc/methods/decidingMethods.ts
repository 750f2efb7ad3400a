import type { MethodName } from './index.ts';

const DECIDING: readonly MethodName[] = [
  'approval.decide',
  'run.start',
  'run.pause',
  'run.resume',
  'run.abort',
  'run.skip',
  'run.apply',
  'run.cleanup',
  'template.promote',
  'daemon.stop',
];

/**
 * Whether only a person may call it: it decides a gate, changes a run, publishes a template or stops the daemon, or says that a person decided. A dry
 * run changes nothing.
 */
export function isDeciding(method: string, params: unknown): boolean {
  const { dryRun, decided } = (params ?? {}) as { dryRun?: unknown; decided?: unknown };
  if (method === 'autodev.record') return decided === true;
  return dryRun !== true && DECIDING.some((each) => each === method);
}
