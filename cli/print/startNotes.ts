import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { StartNotes } from '../../schemas/rpc/views/startNotes.ts';
import type { Io } from '../io.ts';
import { shortId, visible } from './text.ts';

export type LastBackends = RpcResult<'run.lastBackends'>;

/** On standard error, where they are in nobody's way. */
export function printWarnings(io: Io, { warnings }: StartNotes): void {
  for (const warning of warnings) io.err(`Warning: ${visible(warning)}\n`);
}

/** Which backends a run has because the last one had them, and which it cannot have. */
export function printLastBackends(io: Io, { remembered, unusable }: LastBackends): void {
  const pair = ({ roleId, backend }: { roleId: string; backend: string }) => visible(`${roleId}=${backend}`);
  for (const runId of new Set(remembered.map((each) => each.runId))) {
    const pairs = remembered.filter((each) => each.runId === runId).map(pair);
    io.err(`Backends as in run ${shortId(runId)}: ${pairs.join(', ')}. Choose others with --backend.\n`);
  }
  for (const each of unusable) {
    io.err(`Not as in run ${shortId(each.runId)}: ${pair(each)} (${visible(each.reason)}).\n`);
  }
}
