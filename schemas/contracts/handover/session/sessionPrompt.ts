import { instantOf } from '../../document/calendar.ts';
import type { Field } from '../../document/fields.ts';
import { parseFrontmatter } from '../../document/frontmatter.ts';
import { type Finding, finding, type Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { fileFault, handoverReport } from '../document/handoverReport.ts';
import { checkSessionState } from './sessionState.ts';

/** The frontmatter. Its check has words of its own. */
export const SESSION_PROMPT_FIELDS: readonly Field[] = [
  { name: 'produced_by', kind: 'line', isRequired: true, about: 'The program or phase that wrote the prompt.' },
  {
    name: 'produced_at',
    kind: 'instant',
    isRequired: true,
    about: 'When it was written: not before the session state.',
  },
];

export interface SessionPrompt {
  producedBy: string | null;
  producedAt: string | null;
}

/** Checks the prompt of handover 7 against the session state beside it. */
export function checkSessionPrompt(
  file: FileText,
  path: string,
  { state, subject = path }: { state?: FileText; subject?: string } = {},
): Report<SessionPrompt> {
  const report = (findings: readonly Finding[], parsed: SessionPrompt | null) =>
    handoverReport({ kind: 'session-prompt', subject, mode: 'strict', findings, parsed });
  if (!file.ok) return report([fileFault('NEXT_SESSION_PROMPT', file, path)], null);
  const { fields, faults } = parseFrontmatter(file.text);
  if (faults.some(({ code }) => code === 'FM_MISSING')) {
    const message = 'The prompt has no frontmatter, so nobody knows who wrote it, nor when.';
    const findings = [finding('NEXT_SESSION_PROMPT_NO_FRONTMATTER', message, { path, line: 1 })];
    return report(findings, { producedBy: null, producedAt: null });
  }
  const findings = faults.map(({ code, message, line }) => finding(code, message, { path, line }));
  if (faults.some(({ code }) => code === 'FM_UNTERMINATED')) return report(findings, null);
  const textOf = (field: string): string | null => {
    const raw = fields.get(field);
    if (raw?.kind === 'scalar' && raw.raw !== '') return raw.raw;
    findings.push(finding('NEXT_SESSION_PROMPT_MISSING_FIELD', `${field} is missing.`, { path, field }));
    return null;
  };
  const parsed = { producedBy: textOf('produced_by'), producedAt: textOf('produced_at') };
  if (parsed.producedAt !== null) findings.push(...aboutTime(parsed.producedAt, state, path));
  return report(findings, parsed);
}

function aboutTime(producedAt: string, state: FileText | undefined, path: string): Finding[] {
  const at = { path, field: 'produced_at' };
  const produced = instantOf(producedAt);
  if (produced === undefined) {
    const message = 'produced_at is no time such as 2026-01-22T10:00:00Z.';
    return [finding('NEXT_SESSION_PROMPT_INVALID_TIMESTAMP', message, at)];
  }
  const updated = instantOf(state?.ok ? checkSessionState(state, path).parsed?.updated_at : undefined);
  if (updated === undefined || produced >= updated) return [];
  const message = 'The prompt is older than the session state, so it may tell of an earlier session.';
  return [finding('NEXT_SESSION_PROMPT_INCONSISTENT', message, at)];
}
