import { severityRank } from '../../../../schemas/findings/severity.ts';
import type { Finding } from '../state.ts';

/** The most severe first; else as they were. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity));
}
