/**
 * The part of Temporal's SDK that devflow uses. Its packages are optional and 255 MB, so `npm ci` does not bring them
 * and the compiler reads this instead. `npm run test:temporal` compiles the same sources against the real types.
 */

declare module '@temporalio/workflow' {
  export const ActivityCancellationType: { readonly TRY_CANCEL: 'TRY_CANCEL' };
  export class ActivityFailure extends Error {
    readonly cause?: Error;
  }
  export class TimeoutFailure extends Error {
    readonly timeoutType: string;
  }
  export class CancellationScope {
    constructor(options?: { cancellable: boolean; parent?: CancellationScope });
    static current(): CancellationScope;
    run<T>(work: () => Promise<T>): Promise<T>;
    cancel(): void;
  }
  type Duration = number | `${number} days`;
  export interface ActivityOptions {
    taskQueue?: string;
    startToCloseTimeout?: Duration;
    scheduleToStartTimeout?: Duration;
    heartbeatTimeout?: Duration;
    cancellationType?: 'TRY_CANCEL';
    retry?: { initialInterval: number; backoffCoefficient: number; maximumInterval: number };
  }
  export function proxyActivities<A>(options: ActivityOptions): A;
  export function condition(holds: () => boolean): Promise<void>;
  export function continueAsNew<F extends (...args: never[]) => Promise<unknown>>(
    ...args: Parameters<F>
  ): Promise<never>;
  export function defineSignal<Args extends unknown[]>(name: string): { name: string; args: Args };
  export function setHandler<Args extends unknown[]>(
    signal: { name: string; args: Args },
    handler: (...args: Args) => void,
  ): void;
  export function isCancellation(error: unknown): boolean;
  export function sleep(ms: number): Promise<void>;
  export function workflowInfo(): { continueAsNewSuggested: boolean };
}

declare module '@temporalio/common' {
  export interface Retry {
    maximumAttempts?: number;
  }
  /** A failure with the code of ours as its type, and our record as its detail. */
  export class ApplicationFailure extends Error {
    readonly type?: string | null;
    readonly details?: unknown[] | null;
    static create(options: {
      message?: string;
      type?: string;
      nonRetryable?: boolean;
      details?: unknown[];
    }): ApplicationFailure;
  }
  export class TimeoutFailure extends Error {
    readonly timeoutType: string;
  }
}

declare module '@temporalio/activity' {
  interface CancellationDetails {
    readonly notFound: boolean;
    readonly cancelRequested: boolean;
  }
  export class Context {
    static current(): Context;
    readonly info: { readonly activityType: string };
    readonly cancellationSignal: AbortSignal;
    readonly cancellationDetails: CancellationDetails | undefined;
    heartbeat(): void;
  }
}

declare module '@temporalio/client' {
  export interface TLSConfig {
    serverNameOverride?: string;
    serverRootCACertificate?: Uint8Array;
    clientCertPair?: { crt: Uint8Array; key: Uint8Array };
  }
  export interface ConnectionOptions {
    address?: string;
    tls?: TLSConfig | boolean | null;
    apiKey?: string;
    connectTimeout?: number;
    channelArgs?: Record<string, number>;
    interceptors?: Interceptor[];
  }
  type Interceptor = ReturnType<typeof makeGrpcRetryInterceptor>;
  type RetryOptions = ReturnType<typeof defaultGrpcRetryOptions>;
  export function defaultGrpcRetryOptions(options: { maxAttempts: number }): { readonly retries: unique symbol };
  export function makeGrpcRetryInterceptor(options: RetryOptions): { readonly interceptor: unique symbol };
  interface WorkflowService {
    getSystemInfo(request: object): Promise<{ serverVersion?: string | null }>;
    describeNamespace(request: { namespace: string }): Promise<{ namespaceInfo?: { id?: string | null } | null }>;
  }
  export class Connection {
    static connect(options: ConnectionOptions): Promise<Connection>;
    static lazy(options: ConnectionOptions): Connection;
    readonly workflowService: WorkflowService;
    withDeadline<T>(deadline: number, call: () => Promise<T>): Promise<T>;
    close(): Promise<void>;
  }
  interface WorkflowHandle {
    signal(name: string, ...args: unknown[]): Promise<void>;
  }
  interface WorkflowClient {
    signalWithStart(
      type: string,
      options: {
        workflowId: string;
        taskQueue: string;
        args: unknown[];
        signal: string;
        signalArgs: unknown[];
        workflowTaskTimeout: number;
      },
    ): Promise<unknown>;
    getHandle(workflowId: string): WorkflowHandle;
    list(options: { query: string }): AsyncIterable<{ workflowId: string }>;
  }
  interface ActivityClient {
    start(
      type: string,
      options: {
        id: string;
        taskQueue: string;
        args: unknown[];
        scheduleToStartTimeout: number;
        heartbeatTimeout: number;
        startToCloseTimeout: number;
        retry: import('@temporalio/common').Retry;
      },
    ): Promise<{ result(): Promise<unknown> }>;
  }
  export class Client {
    constructor(options: { connection: Connection; namespace: string });
    readonly workflow: WorkflowClient;
    readonly activity: ActivityClient;
  }
  export class WorkflowNotFoundError extends Error {}
  export class ActivityExecutionFailedError extends Error {
    readonly cause?: Error;
  }
}

declare module '@temporalio/worker' {
  type Level = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  interface LogEntry {
    level: Level;
    message: string;
    meta?: object;
  }
  export class DefaultLogger {
    constructor(level: Level, write: (entry: LogEntry) => void);
  }
  export const Runtime: {
    install(options: {
      logger: DefaultLogger;
      shutdownSignals: NodeJS.Signals[];
      telemetryOptions: { logging: { forward: object; filter: { core: Level; other: Level } } };
    }): unknown;
  };
  export class NativeConnection {
    static connect(options: import('@temporalio/client').ConnectionOptions): Promise<NativeConnection>;
    close(): Promise<void>;
  }
  export class Worker {
    static create(options: {
      connection: NativeConnection;
      namespace: string;
      taskQueue: string;
      activities: object;
      workflowBundle?: { codePath: string };
      shutdownGraceTime: number;
      shutdownForceTime: number;
      stickyQueueScheduleToStartTimeout?: number;
      maxHeartbeatThrottleInterval: number;
      maxConcurrentActivityTaskExecutions: number;
    }): Promise<Worker>;
    run(): Promise<void>;
    shutdown(): void;
    getState(): string;
  }
  export function bundleWorkflowCode(options: {
    workflowsPath: string;
    logger: DefaultLogger;
  }): Promise<{ code: string }>;
}
