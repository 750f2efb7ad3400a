import { defined } from '../../../schemas/defined.ts';
import { wallTimeOf } from '../../../schemas/time/steadyTime.ts';
import type { LastWords, ProbeResult } from '../contract/adapter.ts';
import type { Attachment } from './attachment.ts';
import { hintOf } from './explainAgent.ts';
import { wordsSaid } from './stall/lastWords.ts';

/** Looks at the program, if one is attached. */
export async function probeAgent(attachment: Attachment | undefined): Promise<ProbeResult> {
  if (!attachment) return { alive: false, paneActive: false, hint: 'it is not running' };
  if (attachment.exit) return { alive: false, paneActive: false, hint: attachment.exit.reason };
  const { observer, stall } = attachment;
  await observer.readScreen().catch(() => {});
  const status = observer.status();
  const stalled = stall.now();
  const at = observer.lastOutputAt();
  return {
    alive: status.state !== 'DEAD',
    hint: hintOf(status),
    paneActive: status.state === 'BUSY' && stalled === undefined,
    ...defined({ stall: stalled, lastOutputAt: at === undefined ? undefined : new Date(wallTimeOf(at)) }),
  };
}

/** What it said last. */
export async function wordsOfAgent({ observer }: Pick<Attachment, 'observer'>): Promise<LastWords | undefined> {
  // The loss of a pane is reported elsewhere.
  await observer.readScreen().catch(() => {});
  const said = wordsSaid(observer.status(), observer.lastScreen());
  return said && { ...said, at: new Date(wallTimeOf(said.at)) };
}
