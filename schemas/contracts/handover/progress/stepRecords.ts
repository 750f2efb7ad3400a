import { defined } from '../../../defined.ts';
import { shorten } from '../../../text/phrases.ts';
import { checkFields, type Field, isMap } from '../../document/fields.ts';
import { type Finding, finding } from '../../report/report.ts';

/** The record of a step. */
export const STEP_RECORD_FIELDS: readonly Field[] = [
  {
    name: 'status',
    kind: 'text',
    isRequired: true,
    values: ['completed', 'in_progress', 'failed', 'pending', 'deferred', 'skipped'],
  },
  { name: 'attempts', kind: 'whole', isRequired: false, least: 0 },
  { name: 'error', kind: 'text', isRequired: false, mayBeNull: true },
  { name: 'commit', kind: 'text', isRequired: false, mayBeNull: true },
  {
    name: 'manifest_audit',
    kind: 'text',
    isRequired: false,
    values: ['pass', 'fail', 'pass-with-note', 'n/a'],
  },
  { name: 'note', kind: 'text', isRequired: false, mayBeNull: true },
  { name: 'completed_at', kind: 'instant', isRequired: false, mayBeNull: true },
];

/** The faults of the records of steps in `progress.json`. */
export function checkStepRecords(steps: Readonly<Record<string, unknown>>, path: string): Finding[] {
  return Object.entries(steps).flatMap(([key, record]) => {
    const invalid = (message: string, field?: string) =>
      finding('PROGRESS_STEP_INVALID', message, {
        path,
        ...defined({ step: isStepNumber(key) ? Number(key) : undefined, field }),
      });
    if (!isStepNumber(key)) return [invalid(`“${shorten(key)}” is no step number.`)];
    if (!isMap(record)) return [invalid(`The record of step ${key} is no object.`)];
    return checkFields(STEP_RECORD_FIELDS, record).map(({ field, message }) =>
      invalid(`Step ${key}: ${message}`, field),
    );
  });
}

/** The name of a step in the map of records. */
export const STEP_NUMBER = /^[1-9]\d{0,8}$/;

function isStepNumber(key: string): boolean {
  return STEP_NUMBER.test(key);
}
