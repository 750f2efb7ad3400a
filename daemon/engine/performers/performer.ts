import type { Logger } from 'pino';
import type { Config } from '../../../schemas/config/config.ts';
import type { Known } from '../../../schemas/definitions/lint/known.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { RefusedDecision } from '../../../schemas/rpc/views/approval.ts';
import type { EffectOf, EffectType } from '../../core/effect/effect.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import type { Run } from '../../core/run/state.ts';
import type { Publishing } from '../../definitions/factory/publishing.ts';
import type { WorktreeProgress } from '../../events/worktreeProgress.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { Definitions } from '../../store/definitions.ts';
import type { GitCommands } from '../../store/gitCommands.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { Clock } from '../../system/clock.ts';
import type { Faults } from '../../system/faults.ts';

/** The tools of performers. They act and report; only `decide` says what comes next. */
export interface PerformerPorts {
  config: Config;
  clock: Clock;
  faults: Faults;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  runLog: RunLog;
  gitCommands: GitCommands;
  definitions: Definitions;
  registry: Registry;
  sessions: SessionManager;
  /** Lint's knowledge beside the text of a draft. */
  lintKnowledge(): Known;
  publishing: Publishing;
  worktrees: Pick<WorktreeProgress, 'report' | 'end' | 'copied' | 'endCopy'>;
  /** The open runs of this host. */
  openRuns(): readonly Run[];
  /** The decisions of agents at a gate, which devflow refused. */
  refusedAt(approvalRequestId: string): readonly RefusedDecision[];
}

/**
 * Performs one effect and returns its outcome, or undefined if there is none. Performing it twice equals performing it once.
 * Rejects with a `DevflowError` on failure, or with the signal's reason when it is aborted.
 */
export type Performer<T extends EffectType> = (
  effect: EffectOf<T>,
  ports: PerformerPorts,
  signal: AbortSignal,
) => Promise<Outcome | undefined>;

/** A performer for every effect; a missing one does not compile. */
export type Performers = { [T in EffectType]: Performer<T> };
