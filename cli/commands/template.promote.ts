import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Template } from '../define/catalog.ts';
import { definitionFile } from '../input/definitionSource.ts';
import { removeDraft, removeDraftSchemas } from '../input/drafts.ts';
import { readInput } from '../input/readInput.ts';
import { readPublished, shippedWith } from '../input/readShipped.ts';
import { printPromotion } from '../print/promotion.ts';

/** Publishes a draft, or the text of any file. */
export const action: Template['publish'] = async (_params, { given, artifacts: directory, json }, io) => {
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
};
