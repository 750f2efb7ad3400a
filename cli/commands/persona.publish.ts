import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { definitionFile } from '../input/definitionSource.ts';
import { removeDraft } from '../input/drafts.ts';
import { readInput } from '../input/readInput.ts';
import type { Action } from '../io/io.ts';
import { printLint } from '../print/lint.ts';
import { printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

/** Publishes a draft, or the text of any file. */
export const action: Action = async ([given]: [string], { json }: { json?: boolean }, io) => {
  const file = definitionFile(io, given, 'persona') ?? given;
  const text = await readInput(io, file, 'the persona file');
  const answer = await callDaemonOrOneshot(io, 'persona.publish', { text });
  const { lint, published } = answer;
  if (published !== null) removeDraft(io, 'persona', file);
  if (json) printJson(io, answer);
  else {
    printLint(io, [{ ...lint, findings: lint.findings.map((finding) => ({ ...finding, file })) }], {});
    io.out(published === null ? 'Nothing was published.\n' : `Published: ${visible(published)}\n`);
  }
  return published === null ? 1 : 0;
};
