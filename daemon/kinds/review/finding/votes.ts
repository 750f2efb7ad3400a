import type { Backend } from '../../../../schemas/enums.ts';

/**
 * Counts the backends that reported a finding. Two personas on one backend make the same mistakes, so they are one
 * vote.
 */
export function distinctBackends(reporters: readonly { backend: Backend }[]): number {
  return new Set(reporters.map(({ backend }) => backend)).size;
}
