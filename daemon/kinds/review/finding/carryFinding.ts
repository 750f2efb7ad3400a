import type { ChangedFile } from '../../../../schemas/place/place.ts';
import { carryPlace } from '../../../core/place/carry.ts';
import type { Finding } from '../state.ts';

/** Where a finding is after a fix. */
export function carryFinding(fixed: readonly ChangedFile[], finding: Finding): Finding {
  const { path, line } = carryPlace(fixed, finding);
  const endLine = Math.max(line, line + finding.endLine - finding.line);
  const anchor = finding.anchor && {
    ...finding.anchor,
    line: carryPlace(fixed, { path: finding.path, line: finding.anchor.line }).line,
  };
  return { ...finding, path, line, endLine, anchor };
}
