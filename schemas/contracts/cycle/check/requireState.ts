import { DevflowError } from '../../../errors.ts';
import { CODES } from '../../report/codes.ts';
import type { TreeSnapshot } from '../../report/tree.ts';
import { statePath } from '../state/cyclePaths.ts';
import type { CycleState } from '../state/cycleState.ts';
import { readState } from '../state/readState.ts';
import { invalid } from '../state/refuse.ts';
import { checkCycle } from './checkCycle.ts';
import { Findings } from './findings.ts';

/** The state of a cycle as it is. Throws if there is none, or if it cannot be read. */
export function requireReadable(tree: TreeSnapshot, id: string): Record<string, unknown> {
  const read = readState(tree, id);
  if (read.kind === 'read') return read.state;
  const { message } = read.finding;
  if (read.kind === 'unreadable') throw invalid(message, [read.finding]);
  throw new DevflowError('contract_not_found', message, {
    recoveryHint: 'List the cycles: devflow cycle list.',
    data: { what: 'cycle' },
  });
}

/** The same, checked: only a valid state is changed. */
export function requireState(tree: TreeSnapshot, id: string): CycleState {
  const state = requireReadable(tree, id);
  const errors = checkCycle(state, { id, path: statePath(id) }).filter(({ code }) => CODES[code].strict === 'error');
  const [first] = errors;
  if (first) throw invalid(`The state of ${id} is not valid: ${first.message}`, errors);
  return state as CycleState;
}

/** A part that an event brings. Refuses one that the contract calls wrong. */
export function requireValid<P>(what: string, part: P, check: (findings: Findings, part: P) => void): P {
  const findings = new Findings('');
  check(findings, part);
  const errors = findings.list().filter(({ code }) => CODES[code].strict === 'error');
  const [first] = errors;
  if (first) throw invalid(`${what} is not valid: ${first.message}`, errors);
  return part;
}
