import type { z } from 'zod';
import { approvalGet } from './approval.get.ts';
import { approvalList } from './approval.list.ts';
import { approvalDecide } from './approval.ts';
import { artifactGet } from './artifact.get.ts';
import { artifactList } from './artifact.list.ts';
import { artifactValidate } from './artifact.ts';
import { backtestCompare } from './backtest.compare.ts';
import { backtestList } from './backtest.list.ts';
import { backtestShow } from './backtest.show.ts';
import { backtestTry } from './backtest.ts';
import { CONTRACT_FAMILY_METHODS } from './contracts/index.ts';
import { daemonDoctor } from './daemon.doctor.ts';
import { daemonStop } from './daemon.stop.ts';
import { daemonStatus } from './daemon.ts';
import { eventsSubscribe } from './events.ts';
import { eventsUnsubscribe } from './events.unsubscribe.ts';
import { hostList } from './host.list.ts';
import { hostForget } from './host.ts';
import { listCount } from './list.ts';
import { personaGet } from './persona.get.ts';
import { personaLint } from './persona.lint.ts';
import { personaList } from './persona.list.ts';
import { personaPublish } from './persona.ts';
import { personaValidate } from './persona.validate.ts';
import { policyCheck } from './policy.ts';
import { rpcDiscover } from './rpc.ts';
import { runAbort } from './run.abort.ts';
import { runCleanup } from './run.cleanup.ts';
import { runDiff } from './run.diff.ts';
import { runEvents } from './run.events.ts';
import { runGet } from './run.get.ts';
import { runLanes } from './run.lanes.ts';
import { runLastBackends } from './run.lastBackends.ts';
import { runList } from './run.list.ts';
import { runPause } from './run.pause.ts';
import { runReopen } from './run.reopen.ts';
import { runReport } from './run.report.ts';
import { runResume } from './run.resume.ts';
import { runSkip } from './run.skip.ts';
import { runVerify } from './run.verify.ts';
import { runApply } from './runApply.ts';
import { runProgress } from './runMoves.ts';
import { runFindings } from './runReads.ts';
import { runStart } from './runStart.ts';
import { sessionGet } from './session.get.ts';
import { sessionList } from './session.list.ts';
import { sessionPane } from './session.pane.ts';
import { sessionProbe } from './session.probe.ts';
import { sessionTranscript } from './session.transcript.ts';
import { sessionAttachTarget } from './session.ts';
import { sessionWhy } from './session.why.ts';
import { templateDiff } from './template.diff.ts';
import { templateGet } from './template.get.ts';
import { templateLint } from './template.lint.ts';
import { templateList } from './template.list.ts';
import { templateRehearse } from './template.rehearse.ts';
import { templatePromote } from './template.ts';
import { templateValidate } from './template.validate.ts';

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
  runResume,
  runAbort,
  runReopen,
  runReport,
  runVerify,
  runDiff,
  runApply,
  runCleanup,
  approvalList,
  approvalGet,
  approvalDecide,
  sessionList,
  sessionGet,
  sessionTranscript,
  sessionProbe,
  sessionWhy,
  sessionAttachTarget,
  sessionPane,
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
