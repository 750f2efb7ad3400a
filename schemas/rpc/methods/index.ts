import type { z } from 'zod';
import {
  approvalCheckComments,
  approvalDecide,
  approvalDiff,
  approvalEdit,
  approvalEditText,
  approvalGet,
  approvalList,
} from './approval.ts';
import { artifactGet, artifactList, artifactValidate } from './artifact.ts';
import { backtestCompare, backtestList, backtestShow, backtestTry } from './backtest.ts';
import { CONTRACT_FAMILY_METHODS } from './contracts/index.ts';
import { daemonDoctor, daemonStatus, daemonStop } from './daemon.ts';
import { eventsSubscribe, eventsUnsubscribe } from './events.ts';
import { hostForget, hostList } from './host.ts';
import { listCount } from './list.ts';
import { messageList, messageSend, messageSettle, messageWithdraw } from './message.ts';
import { personaGet, personaLint, personaList, personaPublish, personaValidate } from './persona.ts';
import { policyCheck } from './policy.ts';
import { repositoryAllow, repositoryCheck, repositoryForbid, repositoryInit, repositoryShow } from './repository.ts';
import { rpcDiscover } from './rpc.ts';
import { runApply, runCleanup, runDiff } from './runApply.ts';
import { runCleanupEnded } from './runCleanupEnded.ts';
import { runContinue } from './runContinue.ts';
import { runAbort, runFinish, runMove, runPause, runProgress, runReopen, runResume, runSkip } from './runMoves.ts';
import { runEvents, runFindings, runGet, runLanes, runList, runReport, runVerify } from './runReads.ts';
import { runLastBackends, runStart } from './runStart.ts';
import { scheduleAdd, scheduleList, schedulePause, scheduleRemove, scheduleRunNow } from './schedule.ts';
import {
  sessionAttachTarget,
  sessionGet,
  sessionList,
  sessionPane,
  sessionProbe,
  sessionTranscript,
  sessionWhy,
} from './session.ts';
import {
  templateDiff,
  templateGet,
  templateLint,
  templateList,
  templatePromote,
  templateRehearse,
  templateValidate,
} from './template.ts';

/** Every method. CONTRIBUTING.md says how to add one. */
export const METHODS = [
  runStart,
  runLastBackends,
  runList,
  runGet,
  runLanes,
  runFindings,
  backtestList,
  backtestShow,
  backtestCompare,
  backtestTry,
  runEvents,
  runPause,
  runProgress,
  runSkip,
  runFinish,
  runResume,
  runAbort,
  runMove,
  runReopen,
  runReport,
  runVerify,
  runDiff,
  runApply,
  runContinue,
  runCleanup,
  runCleanupEnded,
  approvalList,
  approvalGet,
  approvalDiff,
  approvalDecide,
  approvalEditText,
  approvalEdit,
  approvalCheckComments,
  sessionList,
  sessionGet,
  sessionTranscript,
  sessionProbe,
  sessionWhy,
  sessionAttachTarget,
  sessionPane,
  messageSend,
  messageList,
  messageWithdraw,
  messageSettle,
  scheduleAdd,
  scheduleList,
  scheduleRemove,
  schedulePause,
  scheduleRunNow,
  templateList,
  templateGet,
  templatePromote,
  templateRehearse,
  templateValidate,
  templateLint,
  templateDiff,
  personaList,
  personaGet,
  personaPublish,
  personaValidate,
  personaLint,
  artifactList,
  artifactGet,
  artifactValidate,
  ...CONTRACT_FAMILY_METHODS,
  repositoryShow,
  repositoryCheck,
  repositoryAllow,
  repositoryForbid,
  repositoryInit,
  listCount,
  hostList,
  hostForget,
  policyCheck,
  eventsUnsubscribe,
  eventsSubscribe,
  daemonStatus,
  daemonStop,
  daemonDoctor,
  rpcDiscover,
] as const;

export type AnyMethod = (typeof METHODS)[number];
export type MethodName = AnyMethod['name'];
/** The methods that are answered without a daemon, too. */
export type MethodWithoutDaemon = Extract<AnyMethod, { withoutDaemon: true }>['name'];
type Named<N extends MethodName> = Extract<AnyMethod, { name: N }>;

/** The parameters of a caller, who may leave out defaults. */
export type RpcParams<N extends MethodName> = z.input<Named<N>['params']>;
/** The parameters of a call that changes nothing. `never` for a method that always changes something. */
export type ReadParams<N extends MethodName> = RpcParams<N> & Harmless<Named<N>['changes']>;
type Harmless<C> = C extends 'nothing'
  ? unknown
  : C extends { unless: infer F extends string }
    ? { [K in F]: true }
    : C extends { if: infer F extends string }
      ? { [K in F]?: false }
      : never;
/** The parameters of a handler: defaults filled in. */
export type ParsedParams<N extends MethodName> = z.output<Named<N>['params']>;
export type RpcResult<N extends MethodName> = z.output<Named<N>['result']>;
