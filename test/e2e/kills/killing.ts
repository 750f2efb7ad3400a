import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CrashPoint } from '../../../daemon/system/faults.ts';
import type { RunPhaseState } from '../../../schemas/enums.ts';
import type { TestDaemon } from '../../helpers/daemon.ts';
import { until } from '../../helpers/until.ts';

/** Kills the daemon at the first visit of every effect to these points, and starts it again, until `stop`. */
export async function killAtPoints(daemon: TestDaemon, points: readonly CrashPoint[]) {
  const list = join(daemon.root, 'visits');
  const armed = { DEVFLOW_FAULT: `list:${list}` };
  writeFileSync(`${list}.deadly`, points.join('\n'));
  await daemon.restart(armed);
  const over = new AbortController();
  const stopped = new Promise<'over'>((resolve) => over.signal.addEventListener('abort', () => resolve('over')));
  let deaths = 0;
  const revive = (async () => {
    while ((await Promise.race([daemon.exited(), stopped])) !== 'over') {
      deaths += 1;
      await daemon.start(armed).catch((error) => {
        // It may die at the next point even before it is ready.
        if (error.signal !== 'SIGKILL') throw error;
      });
    }
  })();
  return {
    /** How often it died, and the points that nothing visited. */
    async stop(): Promise<{ deaths: number; unvisited: CrashPoint[] }> {
      over.abort();
      await revive;
      const visited = readFileSync(list, 'utf8');
      return { deaths, unvisited: points.filter((point) => !visited.includes(point)) };
    },
  };
}

const AT_WORK: ReadonlySet<RunPhaseState> = new Set(['running', 'awaiting_artifact', 'validating']);

/** Kills the daemon once in each phase that it sees at work, and starts it again, until `stop`. */
export function killInEachPhase(daemon: TestDaemon, runId: string) {
  const killed = new Set<string>();
  let isOver = false;
  const killing = (async () => {
    for (let seq = 0; ; ) {
      let phase: string | undefined;
      await until('the log has grown', async () => {
        if (isOver) return true;
        const { phases, lastSeq } = await daemon.ask('run.get', { runId });
        phase = phases.find(({ key, state }) => AT_WORK.has(state) && !killed.has(key))?.key;
        const hasGrown = lastSeq > seq;
        seq = lastSeq;
        return hasGrown || phase !== undefined;
      });
      if (isOver) return killed;
      if (phase === undefined) continue;
      await daemon.kill('SIGKILL');
      killed.add(phase);
      await daemon.start();
    }
  })();
  return {
    stop: () => {
      isOver = true;
    },
    /** The phases in which it died. */
    phases: () => killing,
  };
}

/** Kills the daemon as the log of a run grows, at whatever it does then, and starts it again. */
export function killAsItGrows(daemon: TestDaemon, runId: string, { from = 0, every = 1, times = 1000 }) {
  let isOver = false;
  const killing = (async () => {
    let kills = 0;
    for (let seq = from; kills < times; seq += every) {
      await until('the log has grown', async () => isOver || (await daemon.ask('run.get', { runId })).lastSeq > seq);
      if (isOver) break;
      await daemon.kill('SIGKILL');
      kills += 1;
      await daemon.start();
    }
    return kills;
  })();
  return {
    stop: () => {
      isOver = true;
    },
    count: () => killing,
  };
}
