import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { decide } from '../../core/decide.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import { hostSilent, openHostGate } from '../../core/gates/hostGate.ts';
import { keepsWorkOfSilentHost } from '../../core/run/behaviour.ts';
import type { Run } from '../../core/run/state.ts';
import type { HostRow } from '../../store/hosts.ts';

/** A check that a busy machine makes late finds a little more silence. Checks never come closer together. */
const LEAST_MS = 250;

/** Asks a person about the runs of hosts that are silent for too long. */
export interface SilentHosts {
  /** Looks at once, and then when the next host could be over its time. */
  look(): Promise<void>;
  stop(): void;
}

/**
 * Says of the open runs of other hosts that their host takes no work. That is so once its lease is silent for `silentHostMs`,
 * by the database's clock. Temporal says it too, but later: it waits for the heartbeats of what began there first. Each
 * daemon looks. Once one of them has recorded it, the others record nothing.
 *
 * Silence from before this daemon started does not count. No host renews its lease while Postgres is away. The leases in a
 * restored backup are as old as the backup.
 */
export function createSilentHosts(options: {
  hostId: string;
  silentHostMs: number;
  listHosts(): Promise<Pick<HostRow, 'id' | 'silentMs'>[]>;
  /** The open runs of other hosts. */
  openRuns(): Run[];
  hostOf(run: Run): string;
  record(runId: string, outcome: Outcome): Promise<Run>;
  log: Pick<Logger, 'warn'>;
}): SilentHosts {
  const { hostId, silentHostMs, listHosts, openRuns, hostOf, record, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStopped = false;
  const startedAt = steadyNow();

  async function lookAtAll(): Promise<void> {
    const others = (await listHosts()).filter(({ id }) => id !== hostId);
    const seenFor = steadyNow() - startedAt;
    const hosts = others.map(({ id, silentMs }) => ({ id, silentMs: Math.min(silentMs, seenFor) }));
    const silent = new Set(hosts.filter(({ silentMs }) => silentMs >= silentHostMs).map(({ id }) => id));
    for (const run of openRuns()) if (silent.has(hostOf(run))) await ask(run);
    // A host that is over its time already is looked at again for its new runs only.
    const left = hosts.map(({ silentMs }) => silentHostMs - silentMs).filter((ms) => ms > 0);
    next(Math.min(silentHostMs, ...left));
  }

  /** A newer run has one gate for all its effects. An older run asks about each. */
  async function ask(run: Run): Promise<void> {
    if (isTerminal(run.state) || openHostGate(run)) return;
    const message = `Host ${hostOf(run)} takes no work.`;
    const error = toErrorRecord(new DevflowError('host_unreachable', message, { runId: run.id }));
    // A run that a person has paused waits for that person anyway.
    if (keepsWorkOfSilentHost(run) && hostSilent(run, error).length === 0) return;
    for (const { type, key } of decide(run)) {
      if (type === 'expireApproval') continue;
      const after = await record(run.id, { type: 'effectFailed', key, error }).catch((err: unknown) => {
        log.warn({ runId: run.id, err }, 'could not record that the host of a run takes no work');
      });
      if (after && openHostGate(after)) return;
    }
  }

  function next(ms: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => void look(), Math.max(LEAST_MS, ms));
    timer.unref();
  }

  function look(): Promise<void> {
    looking ??= lookAtAll()
      .catch((err: unknown) => {
        log.warn({ err }, 'could not look at the other hosts');
        next(LEAST_MS * 4);
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  return {
    look,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
