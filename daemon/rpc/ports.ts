import type { ApprovalDecisionAction, ApprovalState, RunState, ShownSessionState } from '../../schemas/enums.ts';
import type { RunEvent } from '../../schemas/events/index.ts';
import type { MethodName, ParsedParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { DryRun } from '../../schemas/rpc/methods/run.start.ts';
import type { ApprovalDetail, ApprovalSummary, RefusedDecision } from '../../schemas/rpc/views/approval.ts';
import type { ArtifactContent, ArtifactView } from '../../schemas/rpc/views/artifact.ts';
import type {
  DefinitionVerdict,
  PersonaDetail,
  PersonaSummary,
  TemplateDetail,
  TemplateSummary,
} from '../../schemas/rpc/views/definition.ts';
import type { RunDetail, RunSummary } from '../../schemas/rpc/views/run.ts';
import type { SessionDetail, SessionSummary } from '../../schemas/rpc/views/session.ts';
import type { Moved } from '../engine/local/engine.ts';
import type { LastBackends } from '../engine/local/lastBackends.ts';
import type { StartRequest } from '../engine/local/startRun.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { Call, Peer } from './peer.ts';

/** The engine, as handlers use it. Ids are whole. */
export interface EnginePort {
  startRun(request: StartRequest): Promise<RpcResult<'run.start'>>;
  previewRun(request: StartRequest): Promise<DryRun>;
  lastBackends: LastBackends;
  signalApproval(
    runId: string,
    approvalRequestId: string,
    action: ApprovalDecisionAction,
    clientToken: string,
    comment?: string,
  ): Promise<{ decisionId: string; created: boolean; state: ApprovalState }>;
  pauseRun(runId: string, reason?: string): Promise<Moved>;
  resumeRun(runId: string, reason?: string): Promise<Moved>;
  abortRun(runId: string, reason: string): Promise<Moved>;
}

/** Refuses agents the calls that only a person may make. */
export interface AgentGuard {
  decides(method: MethodName, params: unknown): boolean;
  /** Throws `agent_may_not_decide`. */
  check(method: MethodName, params: Readonly<Record<string, unknown>>, peer: Pick<Peer, 'processId'>): Promise<void>;
  refusedAt(approvalId: string): RefusedDecision[];
}

export interface ApprovalFilter {
  runId?: string;
  state?: ApprovalState;
  all?: boolean;
}

/** `resolve…` turns any prefix into the whole id; throws `not_found` or `ambiguous_id`. `get…` throws `not_found`. */
export interface ReadsPort {
  resolveRun(ref: string): Promise<string>;
  resolveApproval(ref: string): Promise<{ approvalId: string; runId: string }>;
  resolveSession(ref: string): Promise<string>;
  resolveArtifact(ref: string): Promise<string>;
  /** A limit never hides what is open. Without a limit, the list is complete. */
  listRuns(filter: { state?: RunState; limit?: number }): Promise<RunSummary[]>;
  getRun(runId: string): Promise<RunDetail>;
  /** Events with `seq > afterSeq`, in order, at most `limit`. */
  readEvents(runId: string, afterSeq: number, limit: number): Promise<RunEvent[]>;
  /** Gates that wait for a decision; with `all` or a state, also others. */
  listApprovals(filter: ApprovalFilter & { limit?: number }): Promise<ApprovalSummary[]>;
  getApproval(approvalId: string): Promise<ApprovalDetail>;
  listSessions(filter: { runId?: string; state?: ShownSessionState; limit?: number }): Promise<SessionSummary[]>;
  /** The length of a list without its limit. */
  countListed(
    of: ParsedParams<'list.count'>['of'],
    filter: Omit<ApprovalFilter, 'state'> & { state?: string },
  ): Promise<number>;
  getSession(sessionId: string): Promise<SessionDetail>;
  /** With `tail`, the last so many chunks; else `limit` chunks after `afterSeq`. */
  readTranscript(
    sessionId: string,
    page: { afterSeq: number; limit: number; tail?: number },
  ): Promise<RpcResult<'session.transcript'>>;
  listArtifacts(runId: string): Promise<ArtifactView[]>;
  getArtifact(artifactId: string): Promise<ArtifactContent>;
}

/** Templates, personas and artifact schemas. `ref` is `name` (newest) or `name@version`. */
export interface DefinitionsPort {
  listTemplates(): Promise<TemplateSummary[]>;
  getTemplate(ref: string): Promise<TemplateDetail>;
  validateTemplate(text: string): Promise<DefinitionVerdict>;
  listPersonas(): Promise<PersonaSummary[]>;
  getPersona(ref: string): Promise<PersonaDetail>;
  validatePersona(text: string): Promise<DefinitionVerdict>;
  validateArtifact(schema: string, text: string): Promise<RpcResult<'artifact.validate'>>;
}

export interface SessionsPort {
  probe(sessionId: string): Promise<RpcResult<'session.probe'>>;
  why(sessionId: string): Promise<RpcResult<'session.why'>>;
  /** Throws `state_conflict` when the session has no pane. */
  attachTarget(sessionId: string): Promise<RpcResult<'session.attachTarget'>>;
}

export interface PolicyPort {
  check(argv: string[], cwd?: string): RpcResult<'policy.check'>;
}

export interface DoctorPort {
  check(options: { strict: boolean }): Promise<RpcResult<'daemon.doctor'>>;
  listOrphans(): Promise<RpcResult<'daemon.doctor'>>;
  tryAgents(): Promise<RpcResult<'daemon.doctor'>>;
}

export interface DaemonPort {
  readonly version: string;
  readonly pid: number;
  status(): Promise<RpcResult<'daemon.status'>>;
  /** Begins the graceful stop and returns; the reply is on the socket already. */
  stop(): void;
}

/** Everything the handlers need from the rest of the daemon; `boot.ts` puts it together. */
export interface Ports {
  engine: EnginePort;
  reads: ReadsPort;
  definitions: DefinitionsPort;
  sessions: SessionsPort;
  policy: PolicyPort;
  doctor: DoctorPort;
  reports: { read(runId: string): Promise<RpcResult<'run.report'>> };
  verify: { run(runId: string): Promise<RpcResult<'run.verify'>> };
  work: {
    diff(runId: string): Promise<RpcResult<'run.diff'>>;
    apply(runId: string, wish: Omit<ParsedParams<'run.apply'>, 'runId'>): Promise<RpcResult<'run.apply'>>;
  };
  cleanup: { run(runId: string, options: { lane?: string; force: boolean }): Promise<RpcResult<'run.cleanup'>> };
  daemon: DaemonPort;
  subscriptions: Subscriptions;
  /** If absent, every caller may decide. */
  agents?: AgentGuard;
}

export interface HandlerContext extends Ports {
  call: Call;
}

/** The implementation of a method: parameters are parsed, ids in them may still be prefixes. */
export type Handler<N extends MethodName> = (
  params: ParsedParams<N>,
  context: HandlerContext,
) => RpcResult<N> | Promise<RpcResult<N>>;

/** One handler for each method; a missing one does not compile. */
export type Handlers = { [N in MethodName]: Handler<N> };
