import { type Finding, finding } from '../report/report.ts';
import { shorten } from '../report/shorten.ts';
import type { FileText } from '../report/tree.ts';

export type Prefix = 'BRIEF' | 'RESEARCH' | 'PLAN' | 'PROGRESS' | 'REVIEW' | 'SESSION_STATE' | 'NEXT_SESSION_PROMPT';

/** Why a file cannot be checked. */
export function fileFault(prefix: Prefix, file: Extract<FileText, { ok: false }>, path: string): Finding {
  const name = shorten(path);
  if (file.isMissing) return finding(`${prefix}_NOT_FOUND`, `There is no file ${name}.`, { path });
  return finding(`${prefix}_READ_ERROR`, `${name} cannot be read: ${shorten(file.reason)}.`, { path });
}
