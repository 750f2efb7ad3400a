import { shorten } from '../../../text/phrases.ts';
import { checkFields, type Field, isMap } from '../../document/fields.ts';
import { notAnObject } from '../../document/json.ts';
import type { ContractCode } from '../../report/codes.ts';
import { type Finding, finding, type Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { HANDOVER } from '../document/contract.ts';
import { fileFault, handoverReport } from '../document/handoverReport.ts';
import { readJson } from '../document/jsonText.ts';

/** All but `schema_version`. */
export const SESSION_STATE_FIELDS: readonly Field[] = [
  { name: 'project', kind: 'text', isRequired: true, about: 'The project directory.' },
  {
    name: 'next_session_brief_path',
    kind: 'text',
    isRequired: true,
    pattern: /\S/,
    about: 'What the next session reads first, from the repository on.',
  },
  { name: 'next_session_label', kind: 'text', isRequired: true, about: 'What the next session is called.' },
  {
    name: 'status',
    kind: 'text',
    isRequired: true,
    values: ['in_progress', 'partial', 'failed', 'stopped', 'completed'],
    about: 'Where the work stands. After completed there is no next session.',
  },
  { name: 'updated_at', kind: 'instant', isRequired: true, about: 'When this file was written.' },
];
/** A wrong value of another field is as good as none. */
const INVALID: Readonly<Record<string, ContractCode>> = {
  next_session_brief_path: 'SESSION_STATE_INVALID_PATH',
  status: 'SESSION_STATE_INVALID_STATUS',
  updated_at: 'SESSION_STATE_INVALID_TIMESTAMP',
};

export type SessionState = Record<string, unknown>;

/** Facts of the file system and git about a session state. Absent: nobody looked. */
export interface SessionFacts {
  briefExists?: boolean;
  isTracked?: boolean;
}

/** Checks handover 7, `.session-state.local.json`. Unknown keys belong to other writers. */
export function checkSessionState(
  file: FileText,
  path: string,
  { subject = path, briefExists, isTracked }: SessionFacts & { subject?: string } = {},
): Report<SessionState> {
  const report = (findings: readonly Finding[], parsed: SessionState | null) =>
    handoverReport({ kind: 'session-state', subject, mode: 'strict', findings, parsed });
  const tracked = isTracked ? [trackedFinding(path)] : [];
  if (!file.ok) return report([fileFault('SESSION_STATE', file, path)], null);
  const json = readJson(file.text);
  if (!json.ok) {
    return report(
      [finding('SESSION_STATE_PARSE_ERROR', `This is no JSON: ${json.reason}.`, { path }), ...tracked],
      null,
    );
  }
  if (!isMap(json.value)) {
    return report(
      [finding('SESSION_STATE_NOT_OBJECT', `The JSON is ${notAnObject(json.value)}.`, { path }), ...tracked],
      null,
    );
  }
  const { value } = json;
  const findings = [
    ...versionFindings(value, path),
    ...checkFields(SESSION_STATE_FIELDS, value).map(({ field, what, message }) => {
      const code =
        what === 'invalid' ? (INVALID[field] ?? 'SESSION_STATE_MISSING_FIELD') : 'SESSION_STATE_MISSING_FIELD';
      return finding(code, message, { path, field });
    }),
    ...tracked,
  ];
  if (value.status === 'completed') {
    const message = 'status is completed: there are no further sessions to resume.';
    findings.push(finding('SESSION_STATE_NOT_RESUMABLE', message, { path, field: 'status' }));
  }
  const brief = briefPathOf(value);
  if (brief !== undefined && briefExists === false) {
    const field = 'next_session_brief_path';
    const message = `${field} is ${shorten(brief)}, which is not in the repository.`;
    findings.push(finding('SESSION_STATE_BRIEF_NOT_FOUND', message, { path, field }));
  }
  return report(findings, value);
}

/** The path that the next session begins with; undefined if the state has none. */
export function briefPathOf(state: SessionState): string | undefined {
  const { next_session_brief_path: brief } = state;
  return typeof brief === 'string' && brief.trim() !== '' ? brief : undefined;
}

/** The same of a text that may be anything. */
export function briefPathIn(text: string): string | undefined {
  const json = readJson(text);
  return json.ok && isMap(json.value) ? briefPathOf(json.value) : undefined;
}

function trackedFinding(path: string): Finding {
  const message = 'The session state is committed. Remove it from git, and add *.local.json to .gitignore.';
  return finding('SESSION_STATE_TRACKED', message, { path });
}

function versionFindings(value: SessionState, path: string): Finding[] {
  const at = { path, field: 'schema_version' };
  if (!Object.hasOwn(value, 'schema_version')) {
    return [finding('SESSION_STATE_MISSING_FIELD', 'schema_version is missing.', at)];
  }
  const { current } = HANDOVER.versions['session-state'];
  if (value.schema_version === current) return [];
  return [finding('SESSION_STATE_SCHEMA_MISMATCH', `schema_version must be the number ${current}.`, at)];
}
