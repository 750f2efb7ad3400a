import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { Phase, Run } from '../run/state.ts';

type Audit = NonNullable<CommittedWork['audits']>[number];

export interface FailedAudits {
  /** The phase that carried the plan out. */
  phase: Phase;
  /** The steps that do not keep to their manifests, as devflow checked the commits. */
  failed: Audit[];
  /** The number of checked steps. */
  checked: number;
}

/** The failed audits of a plan's newest execution; undefined without one, or if every step keeps to its manifest. */
export function failedAudits(run: Run): FailedAudits | undefined {
  const phase = run.phases.findLast(({ work }) => work?.audits !== undefined);
  const audits = phase?.work?.audits ?? [];
  const failed = audits.filter(({ result }) => result === 'fail');
  return phase && failed.length > 0 ? { phase, failed, checked: audits.length } : undefined;
}

/** `step 2: b.txt does not exist`. */
export function auditSentence({ step, faults }: Audit): string {
  return `step ${step}: ${faults.join('; ')}`;
}
