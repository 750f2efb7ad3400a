import { type Finding, finding } from '../report/report.ts';
import { shorten } from '../report/shorten.ts';

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
