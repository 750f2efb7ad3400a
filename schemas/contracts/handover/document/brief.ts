import { shorten } from '../../../text/phrases.ts';
import type { Field } from '../../document/fields.ts';
import { type Finding, finding, type Mode, type Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { TASK_FIELDS } from './commonFields.ts';
import { HANDOVER } from './contract.ts';
import { handoverReport } from './handoverReport.ts';
import { type ReadDocument, readDocument } from './readDocument.ts';

/** The frontmatter. */
export const BRIEF_FIELDS: readonly Field[] = [
  { name: 'brief_version', kind: 'line', isRequired: true, about: 'The version of the form, N.M.' },
  { name: 'created', kind: 'date', isRequired: true, about: 'The day of the brief.' },
  ...TASK_FIELDS,
  { name: 'research_topics', kind: 'whole', isRequired: true, least: 0, about: 'How many topics need research.' },
  {
    name: 'research_status',
    kind: 'line',
    isRequired: true,
    values: ['pending', 'in_progress', 'complete', 'skipped'],
    about: 'How far the research is. If topics were skipped, brief_quality must be partial.',
  },
  { name: 'auto_research', kind: 'boolean', isRequired: false, about: 'Whether the research begins without asking.' },
  {
    name: 'interview_turns',
    kind: 'whole',
    isRequired: false,
    least: 0,
    about: 'How many questions the person answered.',
  },
  {
    name: 'source',
    kind: 'line',
    isRequired: false,
    values: ['interview', 'manual'],
    about: 'Where the brief comes from.',
  },
  {
    name: 'brief_quality',
    kind: 'line',
    isRequired: false,
    values: ['complete', 'partial'],
    about: 'Whether the brief could be completed.',
  },
];

export interface Brief {
  frontmatter: Record<string, unknown>;
}

/** Checks handover 1, `brief.md`. */
export function checkBrief(file: FileText, path: string, mode: Mode, subject = path): Report<Brief> {
  const { findings, document } = readDocument({ kind: 'brief', prefix: 'BRIEF', fields: BRIEF_FIELDS }, file, path);
  return handoverReport({
    kind: 'brief',
    subject,
    mode,
    findings: document ? [...findings.map(withStatusCode), ...aboutValues(document, path)] : findings,
    parsed: document ? { frontmatter: document.values } : null,
  });
}

/** A wrong status has its own code. */
function withStatusCode(given: Finding): Finding {
  const isStatus = given.code === 'BRIEF_INVALID_FIELD' && given.field === 'research_status';
  return isStatus ? { ...given, code: 'BRIEF_INVALID_STATUS' } : given;
}

function aboutValues({ fields, values }: ReadDocument, path: string): Finding[] {
  const { brief_version: version, research_topics: topics, research_status: status, brief_quality: quality } = values;
  const findings = briefVersionFinding(version, HANDOVER.versions.brief.current, {
    path,
    line: fields.get('brief_version')?.line ?? null,
    field: 'brief_version',
  });
  if (typeof topics === 'number' && topics > 0 && status === 'skipped' && quality !== 'partial') {
    const message = `${topics} research topics were skipped; then brief_quality must be partial.`;
    const line = fields.get('research_status')?.line ?? null;
    findings.push(finding('BRIEF_STATE_INCOHERENT', message, { path, line, field: 'brief_quality' }));
  }
  return findings;
}

/** True if a version has the form N.M. */
export function isVersion(text: string): boolean {
  return /^\d{1,9}\.\d{1,9}$/.test(text);
}

/** Another version is read as well as possible, with a warning. */
export function briefVersionFinding(given: unknown, current: string, at: Partial<Finding>): Finding[] {
  if (typeof given !== 'string' || given === current || given === '') return [];
  if (!isVersion(given)) {
    return [finding('BRIEF_VERSION_FORMAT', `brief_version is “${shorten(given)}”, and must have the form N.M.`, at)];
  }
  return [finding('BRIEF_VERSION_MISMATCH', `brief_version is ${given}; the current one is ${current}.`, at)];
}
