import { shorten } from '../../text/phrases.ts';
import { isKebabCase } from '../document/fields.ts';
import { CODES, type ContractCode } from '../report/codes.ts';
import { type Finding, finding } from '../report/report.ts';
import { FLOWS, stepName } from './flows.ts';
import { FIELDS, type PointerText } from './parsePointer.ts';
import {
  AWAITING,
  FLOW_NAMES,
  type FlowName,
  isFlowName,
  MOST_RETRIES,
  POINTER_FILE,
  type Pointer,
  type ReadPointer,
  STATUSES,
} from './pointer.ts';

type Add = (code: ContractCode, message: string, field: string) => void;

/** Everything that is wrong with a pointer, in the order of its fields. */
export function checkPointer(parsed: PointerText, read: ReadPointer): Finding[] {
  const findings = parsed.faults.map(({ message, line }) =>
    finding('AUTODEV_PARSE_ERROR', message, { path: POINTER_FILE, line }),
  );
  const lineOf = (field: string) => {
    const [name, sub] = field.split('.');
    const value = (sub && parsed.subStep.get(sub as 'name')) || parsed.fields.get(name as 'name');
    return value?.line ?? null;
  };
  const add: Add = (code, message, field) =>
    findings.push(finding(code, message, { path: POINTER_FILE, line: lineOf(field), field }));

  const hasSubStep = parsed.fields.has('sub_step');
  for (const name of FIELDS) {
    const isMissing = name === 'sub_step' ? !hasSubStep : read[name] === null;
    if (isMissing) add('AUTODEV_MISSING_FIELD', `${name} is missing.`, name);
  }
  const flow = checkFlow(read, add);
  const step = flow && checkStep(flow, read, add);
  if (flow && step) checkName(flow, step, read, add);
  checkStatus(read, add);
  if (hasSubStep) checkSubStep(parsed, read, add);
  checkRetries(read, add);
  checkCycle(flow, read, add);
  return findings;
}

function checkFlow({ flow }: ReadPointer, add: Add): FlowName | undefined {
  if (flow === null || isFlowName(flow)) return flow ?? undefined;
  add('AUTODEV_INVALID_FLOW', `flow is “${shorten(flow)}”; it is one of ${FLOW_NAMES.join(', ')}.`, 'flow');
  return undefined;
}

function checkStep(flow: FlowName, { step }: ReadPointer, add: Add): Pointer['step'] | undefined {
  if (step === null) return undefined;
  const { length } = FLOWS[flow].steps;
  if (step === 'done') {
    if (FLOWS[flow].afterLast !== 'done') {
      add('AUTODEV_DONE_LOOPS', `step is done, but ${flow} begins again after its last step.`, 'step');
    }
    return step;
  }
  if (typeof step === 'number' && step >= 1 && step <= length) return step;
  const message = `step is “${shorten(String(step))}”; in ${flow} it is a whole number from 1 to ${length}, or done.`;
  add('AUTODEV_INVALID_STEP', message, 'step');
  return undefined;
}

function checkName(flow: FlowName, step: Pointer['step'], { name }: ReadPointer, add: Add): void {
  const expected = stepName(flow, step);
  if (name === null || name === expected) return;
  const which = step === 'done' ? 'done' : `step ${step}`;
  add('AUTODEV_NAME_MISMATCH', `name is “${shorten(name)}”; ${which} of ${flow} is “${expected}”.`, 'name');
}

function checkStatus({ status }: ReadPointer, add: Add): void {
  if (status === null || (STATUSES as readonly string[]).includes(status)) return;
  add('AUTODEV_INVALID_STATUS', `status is “${shorten(status)}”; it is one of ${STATUSES.join(', ')}.`, 'status');
}

function checkSubStep(parsed: PointerText, { sub_step: subStep, status }: ReadPointer, add: Add): void {
  if (parsed.flatLine !== null) {
    const message = 'The fields of sub_step are not indented. The next write indents them.';
    add('AUTODEV_FLAT_SUBSTEP', message, 'sub_step');
  }
  if (subStep === null) {
    const { text = '' } = parsed.fields.get('sub_step') ?? {};
    const what = text === '' ? 'sub_step has no fields' : `sub_step is “${shorten(text)}”`;
    add('AUTODEV_SUBSTEP_INVALID', `${what}; it has the fields phase, name and detail.`, 'sub_step');
    return;
  }
  const { phase, name, detail } = subStep;
  const isPhase = typeof phase === 'number';
  const isName = name !== null && isKebabCase(name);
  if (!isPhase) {
    const what = phase === null ? 'is missing' : `is “${shorten(phase)}”`;
    add('AUTODEV_SUBSTEP_INVALID', `phase ${what}; it is a whole number from 0 on.`, 'sub_step.phase');
  }
  if (!isName) {
    const what = name === null ? 'is missing' : `is “${shorten(name)}”`;
    const expected = 'it is lower-case words with hyphens, such as auto-fix-gate';
    add('AUTODEV_SUBSTEP_INVALID', `The name of the phase ${what}; ${expected}.`, 'sub_step.name');
  }
  if (isPhase && name === AWAITING && phase !== 0) {
    const message = `The name of phase ${phase} is ${AWAITING}, which only phase 0 may have.`;
    add('AUTODEV_SUBSTEP_RESERVED', message, 'sub_step.name');
  } else if (isPhase && isName && status === 'not_started' && !(phase === 0 && name === AWAITING && detail === '')) {
    const message = `The step has not begun, and its sub-step is phase ${phase} (${shorten(name)}).`;
    add('AUTODEV_SUBSTEP_STALE', message, 'sub_step');
  }
}

function checkRetries({ retry_count: retries, status }: ReadPointer, add: Add): void {
  if (retries === null) return;
  if (typeof retries === 'string' || retries > MOST_RETRIES) {
    const message = `retry_count is “${shorten(String(retries))}”; it is a whole number from 0 to ${MOST_RETRIES}.`;
    add('AUTODEV_RETRY_RANGE', message, 'retry_count');
  } else if (retries === MOST_RETRIES && status !== null && status !== 'failed') {
    const message = `retry_count is ${MOST_RETRIES} and status is “${shorten(status)}”; after ${MOST_RETRIES} retries it is failed.`;
    add('AUTODEV_RETRY_STATUS', message, 'retry_count');
  }
}

function checkCycle(flow: FlowName | undefined, { cycle }: ReadPointer, add: Add): void {
  if (cycle === null) return;
  if (typeof cycle === 'string' || cycle < 1) {
    add('AUTODEV_CYCLE', `cycle is “${shorten(String(cycle))}”; it is a whole number from 1 on.`, 'cycle');
  } else if (flow && !countsCycles(flow) && cycle !== 1) {
    add('AUTODEV_CYCLE', `cycle is ${cycle}; in ${flow} it is always 1.`, 'cycle');
  }
}

/** True if a flow counts its rounds. */
export function countsCycles(flow: FlowName): boolean {
  const { afterLast } = FLOWS[flow];
  return afterLast !== 'done' && afterLast.cycle !== undefined;
}

/** True if findings say that the pointer cannot be used. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => CODES[code].strict === 'error');
}
