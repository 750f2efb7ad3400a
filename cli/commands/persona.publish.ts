import { join } from 'node:path';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { definitionFile } from '../input/definitionSource.ts';
import { draftPlaces, removeDraft } from '../input/drafts.ts';
import { readInput } from '../input/readInput.ts';
import type { Action } from '../io/io.ts';
import { writeNew } from '../io/writeNew.ts';
import { printLint } from '../print/lint.ts';
import { visible } from '../print/text.ts';

/** Publishes a persona of the person, after lint. A version that is published stays as it is. */
export const action: Action = async ([given]: [string], _options: object, io) => {
  const file = definitionFile(io, given, 'persona') ?? given;
  const text = await readInput(io, file, 'the persona file');
  const report = await callDaemonOrOneshot(io, 'persona.lint', { text });
  const findings = report.findings.map((finding) => ({ ...finding, file }));
  const code = printLint(io, [{ ...report, findings }], {});
  const { name, version } = report;
  if (code !== 0 || name === null || version === null) {
    io.out('Nothing was published.\n');
    return 1;
  }
  const path = join(draftPlaces(io, 'persona').published, `${name}@${version}.yaml`);
  writeNew(path, text);
  removeDraft(io, 'persona', file);
  io.out(`Published: ${visible(path)}\n`);
  return 0;
};
