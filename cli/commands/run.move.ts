import type { Action } from '../io.ts';
import { paintState, printJson } from '../output.ts';
import { withDaemon } from '../withDaemon.ts';

const METHODS = { pause: 'run.pause', resume: 'run.resume', abort: 'run.abort' } as const;

/** `run pause`, `run resume` and `run abort`. */
export const action: Action = async (
  [runId]: [string],
  { json, reason }: { json?: boolean; reason?: string },
  io,
  name,
) => {
  const method = METHODS[name as keyof typeof METHODS];
  const moved = await withDaemon(io, (client) => client.call(method, { runId, reason }));
  if (json) printJson(io, moved);
  else io.out(`Run ${moved.runId} ${moved.changed ? 'is now' : 'was already'} ${paintState(io, moved.state)}.\n`);
  return 0;
};
