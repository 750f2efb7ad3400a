import { withFaults, withoutFaults } from '../../../schemas/edits/withFaults.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { visible } from '../../../schemas/text/visible.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Approval } from '../../define/approval.ts';
import { DECLINED } from '../../input/confirm.ts';
import { editText, keepText } from '../../input/editor.ts';
import { onlyGate } from '../../input/onlyOne.ts';
import { usage } from '../../input/parse.ts';
import { readInput } from '../../input/readInput.ts';
import type { Io } from '../../io/io.ts';
import { printJson } from '../../print/output.ts';
import { shortId } from '../../print/text.ts';

type Document = RpcResult<'approval.editText'>;
type Edited = RpcResult<'approval.edit'>;

export const action: Approval['edit'] = async (params, { gate: given, document: wanted, json, file }, io) => {
  if (file === undefined && !(io.inIsTty && io.outIsTty)) {
    throw usage('there is no terminal for an editor', 'Give your version with --file <file>, or - for standard input.');
  }
  const text = file === undefined ? undefined : await readInput(io, file, 'the document');
  return withDaemon(io, async (client) => {
    const approvalId = given ?? (await onlyGate(client, 'approve'));
    const document = await client.call('approval.editText', {
      approvalId,
      ...(wanted === undefined ? {} : { artifact: wanted }),
    });
    const edit = (edited: string): Promise<Edited> => {
      const { artifact, shown } = document;
      return client.call('approval.edit', {
        ...params,
        approvalId: document.approvalId,
        artifact,
        shown,
        text: edited,
      });
    };
    const done = text === undefined ? await editAtTerminal(io, document, edit) : await edit(text);
    if (done && json) printJson(io, done);
    else io.out(`${done?.created ? editedSentence(document, done) : 'Nothing is changed.'}\n`);
    return done ? 0 : DECLINED;
  });
};

/** Opens the editor until the text is taken, or comes back as it was; then undefined. */
async function editAtTerminal(
  io: Io,
  { text, schema, approvalId }: Document,
  edit: (text: string) => Promise<Edited>,
): Promise<Edited | undefined> {
  let shown = text;
  for (;;) {
    const saved = await editText(shown, '.yaml', io.env);
    if (saved === shown || saved.trim() === '') {
      if (shown !== text) await keep(io, shown, approvalId);
      return undefined;
    }
    try {
      return await edit(withoutFaults(saved));
    } catch (error) {
      if (!(error instanceof DevflowError) || error.code !== 'artifact_invalid') {
        await keep(io, saved, approvalId);
        throw error;
      }
      shown = withFaults(withoutFaults(saved), faultsIn(error, schema));
    }
  }
}

function faultsIn({ data, message }: DevflowError, schema: string): { path: string; message: string }[] {
  const { errors } = data as { errors?: { path: string; message: string }[] };
  return Array.isArray(errors) && errors.length > 0 ? errors : [{ path: schema, message }];
}

/** What a person wrote is not lost when devflow cannot take it. */
async function keep(io: Io, text: string, approvalId: string): Promise<void> {
  const file = await keepText(withoutFaults(text), 'document.yaml');
  io.err(`Your text is kept: devflow approval edit ${shortId(approvalId)} --file ${visible(file)}\n`);
}

function editedSentence({ path }: Document, { approvalId, hash }: Edited): string {
  const gate = shortId(approvalId);
  const name = visible(path.slice(path.lastIndexOf('/') + 1));
  return `${name} is now as you wrote it (${hash.slice(0, 12)}). Gate ${gate} shows it and waits: devflow approval approve ${gate}.`;
}
