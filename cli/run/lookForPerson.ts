import { DevflowError } from '../../schemas/errors.ts';
import { isTerminal } from '../../schemas/names.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import type { Client } from '../client/connect.ts';

/** What `devflow wait` looks at, and which changes make it look again. */
export interface Look {
  look(client: Pick<Client, 'call' | 'request'>): Promise<RunDetail | undefined>;
  concerns(change: NotificationParams): boolean;
}

/** Finds the run once it has ended or needs a person. */
export function lookAtRun(runId: string, onSeen: (run: RunDetail) => void = () => {}): Look {
  return {
    async look(client) {
      const run = await readRun(client, runId);
      onSeen(run);
      return isFound(run) ? run : undefined;
    },
    concerns: ({ data }) => !('runId' in data) || data.runId === runId,
  };
}

/** Finds the first open run that needs a person or ends. Throws not_found if none is open at the first look. */
export function lookAtAny(): Look {
  /** Seen while they were open. A run that had ended before does not count. */
  const open = new Set<string>();
  let isFirst = true;
  return {
    async look(client) {
      // All that are open, and one that ended: 0 would give all.
      const runs = (await client.call('run.list', { limit: 1 })).filter(({ state }) => !isTerminal(state));
      if (isFirst && runs.length === 0) throw noneOpen();
      isFirst = false;
      const now = new Set(runs.map(({ runId }) => runId));
      const inNeed = runs.filter(({ waitsForPerson }) => waitsForPerson).map(({ runId }) => runId);
      const gone = [...open].filter((runId) => !now.has(runId));
      for (const runId of now) open.add(runId);
      for (const runId of [...inNeed, ...gone]) {
        const run = await readRun(client, runId);
        if (isFound(run)) return run;
      }
      return undefined;
    },
    concerns(change) {
      // A run may begin and end between two looks. One that is applied later changes, too.
      if (change.event === 'run.state_changed' && !isTerminal(change.data.state)) open.add(change.data.runId);
      return true;
    },
  };
}

/** Not `call`, which drops what only a newer daemon says. */
async function readRun(client: Pick<Client, 'request'>, runId: string): Promise<RunDetail> {
  return (await client.request('run.get', { runId })) as RunDetail;
}

function isFound({ state, waitsForPerson }: RunDetail): boolean {
  return isTerminal(state) || waitsForPerson;
}

function noneOpen(): DevflowError {
  return new DevflowError('not_found', 'no run is open, so there is nothing to wait for', {
    recoveryHint: 'See the runs with devflow ls, or start one.',
  });
}
