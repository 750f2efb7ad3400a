import { CODES } from '../../report/codes.ts';
import { Findings } from '../check/findings.ts';
import { invalid } from '../state/refuse.ts';

/** A part that an event brings. Refuses one that the contract calls wrong. */
export function requireValid<P>(what: string, part: P, check: (findings: Findings, part: P) => void): P {
  const findings = new Findings('');
  check(findings, part);
  const errors = findings.list().filter(({ code }) => CODES[code].strict === 'error');
  const [first] = errors;
  if (first) throw invalid(`${what} is not valid: ${first.message}`, errors);
  return part;
}
