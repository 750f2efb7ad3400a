import type { Pointer } from './pointer.ts';
import { quoted } from './scalar.ts';

export const HEADINGS = '# Autodev State\n## Current Step\n';

/** The file of a pointer. */
export function renderPointer(pointer: Pointer): string {
  return `${HEADINGS}${blockOf(pointer)}\n`;
}

/** The lines of the fields, in their order. */
export function blockOf({ flow, step, name, status, sub_step: subStep, retry_count: retries, cycle }: Pointer): string {
  return [
    `flow: ${flow}`,
    `step: ${step}`,
    `name: ${name}`,
    `status: ${status}`,
    'sub_step:',
    `  phase: ${subStep.phase}`,
    `  name: ${subStep.name}`,
    `  detail: ${quoted(subStep.detail)}`,
    `retry_count: ${retries}`,
    `cycle: ${cycle}`,
  ].join('\n');
}
