import type { Iteration } from './exchangeState.ts';
import type { Phase, Run } from './state.ts';

/** True if the phase is one of those that begin again together. */
export function isInIteration({ template }: Run, { key }: Pick<Phase, 'key'>): boolean {
  return template.iterate?.phases.includes(key) ?? false;
}

/** The phases that begin again together, in order; none if the template has no `iterate`. */
export function blockOf(run: Run): Phase[] {
  return run.phases.filter((phase) => isInIteration(run, phase));
}

/** The newest iteration; undefined before the first. */
export function iterationOf({ iterations }: Run): Iteration | undefined {
  return iterations.at(-1);
}

/** A person's additional wish for the phases of the present iteration; null without one. */
export function extensionFor(run: Run, phase: Phase): string | null {
  const iteration = iterationOf(run);
  return isInIteration(run, phase) && iteration?.endedAt === null ? iteration.extension : null;
}
