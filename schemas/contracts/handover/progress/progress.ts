import { checkFields, type Field, type FieldFault, isMap } from '../../document/fields.ts';
import { notAnObject } from '../../document/json.ts';
import type { ContractCode } from '../../report/codes.ts';
import { type Finding, finding, type Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { HANDOVER } from '../document/contract.ts';
import { fileFault, handoverReport } from '../document/handoverReport.ts';
import { readJson } from '../document/jsonText.ts';
import { checkStepRecords, STEP_NUMBER, STEP_RECORD_FIELDS } from './stepRecords.ts';

/** All but `schema_version`. */
export const PROGRESS_FIELDS: readonly Field[] = [
  { name: 'plan', kind: 'text', isRequired: true, isFilled: true, about: 'The path of the plan.' },
  {
    name: 'plan_type',
    kind: 'text',
    isRequired: false,
    values: ['plan', 'session-spec'],
    about: 'What kind of plan it is.',
  },
  { name: 'plan_version', kind: 'text', isRequired: true, about: 'The plan_version of the plan.' },
  { name: 'started_at', kind: 'instant', isRequired: true, about: 'When the execution began.' },
  { name: 'updated_at', kind: 'instant', isRequired: true, about: 'When this file was written.' },
  {
    name: 'completed_at',
    kind: 'instant',
    isRequired: false,
    mayBeNull: true,
    about: 'When the last step was done.',
  },
  {
    name: 'mode',
    kind: 'text',
    isRequired: true,
    values: ['execute', 'dry-run', 'validate'],
    about: 'What the execution does.',
  },
  { name: 'total_steps', kind: 'whole', isRequired: true, least: 0, about: 'How many steps the plan has.' },
  { name: 'current_step', kind: 'whole', isRequired: true, about: 'The last step that was done; 0 before the first.' },
  {
    name: 'status',
    kind: 'text',
    isRequired: true,
    values: ['pending', 'in_progress', 'completed', 'failed', 'partial'],
    about: 'Where the execution stands.',
  },
  {
    name: 'session_start_sha',
    kind: 'text',
    isRequired: false,
    mayBeNull: true,
    about: 'The commit before the session.',
  },
  {
    name: 'session_end_sha',
    kind: 'text',
    isRequired: false,
    mayBeNull: true,
    about: 'The last commit of the session.',
  },
  {
    name: 'steps',
    kind: 'map',
    isRequired: true,
    holds: { entries: STEP_RECORD_FIELDS, names: STEP_NUMBER },
    about: 'The record of each step, by its number.',
  },
];
export type Progress = Record<string, unknown>;

/** Checks handover 5, `progress.json`. To resume, there must be something left to do. */
export function checkProgress(
  file: FileText,
  path: string,
  { subject = path, isResume = false }: { subject?: string; isResume?: boolean } = {},
): Report<Progress> {
  const report = (findings: readonly Finding[], parsed: Progress | null) =>
    handoverReport({ kind: 'progress', subject, mode: 'strict', findings, parsed });
  if (!file.ok) return report([fileFault('PROGRESS', file, path)], null);
  const json = readJson(file.text);
  if (!json.ok) return report([finding('PROGRESS_PARSE_ERROR', `This is no JSON: ${json.reason}.`, { path })], null);
  if (!isMap(json.value)) {
    return report([finding('PROGRESS_NOT_OBJECT', `The JSON is ${notAnObject(json.value)}.`, { path })], null);
  }
  const { value } = json;
  const findings = [
    ...versionFindings(value, path),
    ...checkFields(PROGRESS_FIELDS, value).map((fault) =>
      finding(codeOf(fault), fault.message, { path, field: fault.field }),
    ),
    ...endFindings(value, path),
    ...aboutSteps(value, path),
  ];
  if (isResume && value.status === 'completed') {
    findings.push(finding('PROGRESS_ALREADY_DONE', 'The plan is completed; there is nothing to resume.', { path }));
  }
  return report(findings, value);
}

function versionFindings(value: Progress, path: string): Finding[] {
  const at = { path, field: 'schema_version' };
  if (!Object.hasOwn(value, 'schema_version')) {
    return [finding('PROGRESS_MISSING_FIELD', 'schema_version is missing.', at)];
  }
  const { current } = HANDOVER.versions.progress;
  if (value.schema_version === current) return [];
  return [finding('PROGRESS_SCHEMA_MISMATCH', `schema_version must be the text "${current}".`, at)];
}

const INSTANTS = new Set(PROGRESS_FIELDS.filter(({ kind }) => kind === 'instant').map(({ name }) => name));

function codeOf({ field, what }: FieldFault): ContractCode {
  if (what === 'missing') return 'PROGRESS_MISSING_FIELD';
  return INSTANTS.has(field) ? 'PROGRESS_INVALID_TIMESTAMP' : 'PROGRESS_INVALID_FIELD';
}

function endFindings(value: Progress, path: string): Finding[] {
  if (value.status !== 'completed' || (value.completed_at !== undefined && value.completed_at !== null)) return [];
  const message = 'status is completed, and completed_at is missing.';
  return [finding('PROGRESS_MISSING_COMPLETED_AT', message, { path, field: 'completed_at' })];
}

function aboutSteps({ total_steps: total, current_step: current, steps }: Progress, path: string): Finding[] {
  const findings = isMap(steps) ? checkStepRecords(steps, path) : [];
  if (!isCount(total)) return findings;
  if (Number.isSafeInteger(current) && ((current as number) < 0 || (current as number) > total)) {
    const message = `current_step is ${current}, outside of 0 to ${total}.`;
    findings.push(finding('PROGRESS_STEP_RANGE', message, { path, field: 'current_step' }));
  }
  const count = isMap(steps) ? Object.keys(steps).length : total;
  if (count !== total) {
    const message = `steps has ${count} records, and total_steps is ${total}.`;
    findings.push(finding('PROGRESS_STEP_COUNT_MISMATCH', message, { path, field: 'steps' }));
  }
  return findings;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
