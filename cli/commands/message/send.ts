import { defined } from '../../../schemas/defined.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import type { MessageView } from '../../../schemas/rpc/views/message.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Message } from '../../define/message.ts';
import { usage } from '../../input/parse.ts';
import { readInput } from '../../input/readInput.ts';
import type { Io } from '../../io/io.ts';
import { printJson } from '../../print/output.ts';
import { shortId, visible } from '../../print/text.ts';

export const action: Message['send'] = async (params, { words, message, file, now, json }, io) => {
  const [first, ...others] = words;
  const { runId, role, lane } = params;
  if (runId === undefined && (role !== undefined || lane !== undefined))
    throw usage('--role and --lane need --run', 'Name the run: --run <run>. Or name the agent: <run>/<role>.');
  if (runId === undefined && first === undefined)
    throw usage('the command names no agent', 'Name a run or a session: devflow message <run> "...".');
  const said = runId === undefined ? others : words;
  const text = await textOf(io, { said, message, file });
  const to = runId === undefined ? { target: first } : { runId, role, lane };
  return withDaemon(io, async (client) => {
    const sent = await client.call('message.send', {
      ...to,
      text,
      clientToken: params.clientToken,
      ...defined({ now: now ? (true as const) : undefined }),
    });
    if (json) printJson(io, sent);
    else for (const each of sent) io.out(`${visible(sentence(each))}\n`);
    return 0;
  });
};

interface Given {
  said: readonly string[];
  message: readonly string[] | undefined;
  file: string | undefined;
}

/** From one place alone, so that no text is lost. */
async function textOf(io: Io, { said, message, file }: Given): Promise<string> {
  const places = [said.length > 0, message !== undefined, file !== undefined].filter(Boolean).length;
  if (places > 1) throw usage('the text is given in more than one way', 'Give it as words, with -m, or with --file.');
  if (places === 0)
    throw usage('there is no text', 'Give it as words, with -m, or with --file; --file - reads standard input.');
  if (file !== undefined) return readInput(io, file, 'the message');
  return message?.join('\n\n') ?? said.join(' ');
}

function sentence(message: MessageView): string {
  const { messageId, waitsFor, state } = message;
  const who = `Message ${shortId(messageId)} to ${agentName(message)} of run ${shortId(message.runId)}`;
  return state === 'sent' ? `${who}: the agent has it.` : `${who} waits for ${waitsFor ?? 'its agent'}.`;
}
