import { randomUUID } from 'node:crypto';
import type { MessageState, MessageView } from '../../schemas/rpc/views/message.ts';
import { readJournal, type Submission } from '../fixtures/scripted/journal.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import type { Panes } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';

/** A run whose planner is done, and whose first gate waits. */
export async function runAtFirstGate({ daemon }: Panes, requirements = 'Make it better.'): Promise<string> {
  const backend = { planner: 'claude', implementer: 'codex' } as const;
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend, requirements });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  return runId;
}

/** One message, also if the daemon dies before it answers. */
export async function write(daemon: TestDaemon, target: string, text: string): Promise<MessageView> {
  const [message] = await daemon.ask('message.send', { target, text, clientToken: randomUUID() });
  if (!message) throw new Error('nobody got the message');
  return message;
}

export function untilMessage(
  daemon: TestDaemon,
  { runId, messageId }: Pick<MessageView, 'runId' | 'messageId'>,
  wanted: MessageState,
): Promise<MessageView> {
  return until(`message ${messageId} is ${wanted}`, async () => {
    const messages = await daemon.ask('message.list', { runId });
    return messages.find((each) => each.messageId === messageId && each.state === wanted);
  });
}

/** What the agents got with these words in it. */
export async function arrived({ configDir }: Pick<Panes, 'configDir'>, words: string): Promise<Submission[]> {
  return (await readJournal(configDir)).filter(({ text }) => text?.includes(words));
}
