import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { readInput } from '../input/readInput.ts';
import type { Action } from '../io/io.ts';
import { printPromotion } from '../print/promotion.ts';
import { readShipped, shippedWith } from '../rehearsal/readShippedSchemas.ts';

interface Options {
  json?: boolean;
  artifacts?: string;
}

export const action: Action = async ([file]: [string], { json, artifacts: directory }: Options, io) => {
  const text = await readInput(io, file, 'the template file');
  const artifacts = readShipped(shippedWith(file, io.cwd, directory, text));
  const answer = await callDaemonOrOneshot(io, 'template.promote', { text, artifacts });
  return printPromotion(io, answer, file, json);
};
