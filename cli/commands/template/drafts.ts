import { exampleTemplate } from '../../../schemas/definitions/examples/exampleTemplate.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { callDaemonOrOneshot } from '../../daemon/oneshot.ts';
import type { Template } from '../../define/catalog.ts';
import { definitionFile } from '../../input/definitionSource.ts';
import { removeDraft, removeDraftSchemas } from '../../input/drafts.ts';
import { newDefinition, writeDefinition } from '../../input/newDefinition.ts';
import { readInput } from '../../input/readInput.ts';
import { readPublished, shippedWith } from '../../input/readShipped.ts';
import type { Io } from '../../io/io.ts';
import { printLint } from '../../print/definition/lint.ts';
import { printRehearsal } from '../../print/definition/rehearsal.ts';
import { printJson } from '../../print/output.ts';
import { visible } from '../../print/text.ts';
import { action as startRun } from '../run/start.ts';

export const actions: Pick<Template, 'new' | 'draft' | 'publish'> = {
  async new(_params, { name, kind, out }, io) {
    const target = await newDefinition(io, 'template', name, out);
    writeDefinition(io, 'template', name, target, exampleTemplate(name, kind, target.version));
    return 0;
  },
  /** A run of the template that makes templates. */
  draft: (params, { wish, ...own }, io, command) =>
    startRun({ ...params, template: 'template-factory' }, { ...own, requirements: wish }, io, command),
  /** Publishes a draft, or the text of any file. */
  async publish(_params, { given, artifacts: directory, json }, io) {
    const file = definitionFile(io, given, 'template') ?? given;
    const text = await readInput(io, file, 'the template file');
    const artifacts = readPublished(shippedWith(file, io.cwd, directory, text));
    const answer = await callDaemonOrOneshot(io, 'template.promote', { text, artifacts });
    if (answer.promoted) {
      removeDraft(io, 'template', file);
      removeDraftSchemas(
        io,
        artifacts.map(({ schema }) => schema),
        file,
      );
    }
    return printPromotion(io, answer, file, json);
  },
};

/** Says what was published, or what keeps the template from it. Returns the exit code. */
function printPromotion(io: Io, answer: RpcResult<'template.promote'>, file: string, json?: boolean): number {
  const { lint, faults, rehearsal, promoted } = answer;
  if (json) printJson(io, answer);
  else {
    printLint(io, [{ ...lint, findings: lint.findings.map((finding) => ({ ...finding, file })) }], {});
    for (const { path, message } of faults) io.out(`${visible(`${path}: ${message}`)}\n`);
    if (rehearsal && !rehearsal.ok) printRehearsal(io, rehearsal);
    io.out(promoted ? `Published: ${visible(promoted.file)}\n` : 'Nothing was published.\n');
    for (const path of promoted?.artifacts ?? []) io.out(`           ${visible(path)}\n`);
  }
  return promoted ? 0 : 1;
}
