import { shorten } from '../../../text/phrases.ts';
import type { ContractCode } from '../../report/codes.ts';
import { type Finding, finding, type Mode, makeReport, type Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { contractOf, type HandoverKind } from './contract.ts';

/** A million wrong headings are one fault, not a report of a hundred megabytes. */
const MOST_OF_A_CODE = 100;

/** The report of one handover. */
export function handoverReport<P>(made: {
  kind: HandoverKind;
  subject: string;
  mode: Mode;
  findings: readonly Finding[];
  parsed: P | null;
}): Report<P> {
  const { kind, findings, ...rest } = made;
  return makeReport({ ...rest, contract: contractOf(kind), findings: withoutExcess(findings) });
}

function withoutExcess(findings: readonly Finding[]): Finding[] {
  const counts = new Map<ContractCode, number>();
  const kept = findings.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= MOST_OF_A_CODE;
  });
  const excess = [...counts].filter(([, count]) => count > MOST_OF_A_CODE);
  const path = findings[0]?.path ?? '';
  return [
    ...kept,
    ...excess.map(([code, count]) => finding(code, `There are ${count - MOST_OF_A_CODE} more of these.`, { path })),
  ];
}

export type Prefix = 'BRIEF' | 'RESEARCH' | 'PLAN' | 'PROGRESS' | 'REVIEW' | 'SESSION_STATE' | 'NEXT_SESSION_PROMPT';

/** Why a file cannot be checked. */
export function fileFault(prefix: Prefix, file: Extract<FileText, { ok: false }>, path: string): Finding {
  const name = shorten(path);
  if (file.isMissing) return finding(`${prefix}_NOT_FOUND`, `There is no file ${name}.`, { path });
  return finding(`${prefix}_READ_ERROR`, `${name} cannot be read: ${shorten(file.reason)}.`, { path });
}
