import type { Backend } from '../../../schemas/enums.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { QueuePlace } from '../../../schemas/rpc/views/queue.ts';
import type { StartNotes } from '../../../schemas/rpc/views/start.ts';
import type { Io } from '../../io/io.ts';
import { shortId, visible } from '../text.ts';

export type LastBackends = RpcResult<'run.lastBackends'>;

/** Prints warnings on standard error. */
export function printWarnings(io: Io, { warnings }: Pick<StartNotes, 'warnings'>): void {
  for (const warning of warnings) io.err(`Warning: ${visible(warning)}\n`);
}

/** The backends that the run takes from the last run. */
export function asOverrides({ remembered }: LastBackends): Record<string, Backend> {
  return Object.fromEntries(remembered.map(({ roleId, backend }) => [roleId, backend]));
}

/** Prints which backends the run takes from the last run, and which of those are not available. */
export function printLastBackends(io: Io, { remembered, unusable }: LastBackends): void {
  const pair = ({ roleId, backend }: { roleId: string; backend: string }) => visible(`${roleId}=${backend}`);
  for (const runId of new Set(remembered.map((each) => each.runId))) {
    const pairs = remembered.filter((each) => each.runId === runId).map(pair);
    io.err(`Backends as in run ${shortId(runId)}: ${pairs.join(', ')}. Choose others with --backend.\n`);
  }
  for (const each of unusable) {
    io.err(`No longer available, but used by run ${shortId(each.runId)}: ${pair(each)} (${visible(each.reason)}).\n`);
  }
}

/** What became of a start, and how to follow it. */
export function startedSentence({ runId, queue }: { runId: string; queue?: QueuePlace | undefined }): string {
  const follow = `Follow it with devflow run show ${shortId(runId)}.`;
  if (!queue) return `Run ${runId} is started. ${follow}\n`;
  const after = queue.after === undefined ? '' : `, after run ${shortId(queue.after)}`;
  return `Run ${runId} is queued, ${queue.position} of ${queue.of}${after}. ${follow}\n`;
}
