import { appendFileSync, readFileSync, writeSync } from 'node:fs';
import { openGates } from '../../../../../daemon/core/run/query.ts';
import type { Perform } from '../../../../../daemon/engine/local/perform.ts';
import type { RunLog } from '../../../../../daemon/store/runLog.ts';
import { derivedId } from '../../../../../schemas/ids.ts';
import { resultsOf } from '../../../core/support/outcomes.ts';
import { markReported } from './markReported.ts';
import { openStubEngine, type StubPlace } from './stubEngine.ts';

/**
 * A host as a process of its own, to be killed: a real engine whose effects succeed at once, and a person who approves every
 * gate. Each effect leaves a line in the journal unless it finds one: that is its mark.
 */
const { journal, ...place } = JSON.parse(process.argv[2] ?? '{}') as StubPlace & { journal: string };

const performOn =
  (runLog: RunLog): Perform =>
  async (effect, signal) => {
    if (effect.type === 'composeReport') return markReported(runLog, effect.runId);
    if (effect.type === 'disposeSessions') return undefined;
    if (effect.type === 'expireApproval')
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    const line = `${effect.type} ${effect.key}`;
    const isDone = readFileSync(journal, 'utf8').split('\n').includes(line);
    const run = await runLog.readRun(effect.runId);
    if (!isDone) appendFileSync(journal, `${line}\n`);
    return run && resultsOf(effect, run)[0];
  };

const { engine, bus } = await openStubEngine(place, performOn);

function approve(runId: string, approvalId: string): void {
  // A decision that is lost with this process is made again by the next one, under the same token.
  engine.signalApproval(runId, approvalId, 'approve', derivedId('token', approvalId)).catch(() => {});
}

bus.listen(null, ({ events }) => {
  for (const event of events)
    if (event.type === 'approval.requested') approve(event.runId, event.payload.approvalRequestId);
});
await engine.reconcile();
for (const run of engine.openRuns()) for (const { id } of openGates(run)) approve(run.id, id);
writeSync(1, 'ready\n');
