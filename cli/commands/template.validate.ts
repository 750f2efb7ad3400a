import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Template } from '../define/catalog.ts';
import { readInput } from '../input/readInput.ts';
import { printDefinitionVerdict } from '../print/verdict.ts';

export const action: Template['validate'] = async (_params, { file, json }, io) => {
  const text = await readInput(io, file, 'the template file');
  const verdict = await callDaemonOrOneshot(io, 'template.validate', { text });
  return printDefinitionVerdict(io, verdict, file, json);
};
