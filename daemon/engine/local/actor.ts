import type { Logger } from 'pino';
import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { Effect } from '../../core/effect/effect.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import { isDelivering } from '../../core/exchange/deliver.ts';
import type { Signal } from '../../core/handleSignal.ts';
import { replayOn } from '../../core/replay.ts';
import type { Decision, Run } from '../../core/run/state.ts';
import { onOutcome, onSignal, type Transition } from '../../core/transition.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { Clock } from '../../system/clock.ts';
import type { Faults } from '../../system/faults.ts';
import { type Advance, type AdvanceOptions, createAdvance } from './advance.ts';
import type { AgentSlots } from './agentSlots.ts';
import { createDeliveryWaits } from './deliveryWaits.ts';
import { createExchangeFiles } from './exchangeFiles.ts';
import { type Observe, withObserved } from './observe.ts';
import type { Perform } from './perform.ts';
import type { RunPlaces } from './runPlaces.ts';

export interface ActorPorts {
  runLog: Pick<RunLog, 'append' | 'readEvents'>;
  clock: Clock;
  faults: Faults;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  perform: Perform;
  /** Absent: this process alone says what begins. */
  createAdvance?(run: Run, options: AdvanceOptions): Advance;
  agentSlots: Pick<AgentSlots, 'forRun'>;
  /** Absent: runs may begin at any time. */
  runPlaces?: Pick<RunPlaces, 'forRun'>;
  /** The run's files are on another host, and it may have other writers. */
  isElsewhere?: boolean;
  /** Reads what is under decision, in the actor's turn, so nothing of this run happens between reading and deciding. */
  observe: Observe;
  /** Called after each commit. Must not throw. */
  onCommitted(before: Run, after: Transition): void;
  /** Called once the run has ended and no effect of it is left. */
  onFinished(run: Run): void;
  /** Called when the actor has stopped after a failed write. The run in memory may be wrong; the log is right. */
  onSuspended(run: Run, error: DevflowError): void;
}

/** One open run: its state in memory, its running effects, and a mailbox that handles one input at a time. */
export interface RunActor {
  run(): Run;
  /** Starts the effects that are due. Call it once; later inputs do it themselves. */
  advance(): void;
  /** Handles a person's signal. Rejects with the refusal. */
  signal(signal: Signal): Promise<{ run: Run; decision?: Decision; changed: boolean }>;
  /**
   * Handles a signal once the effects that `which` picks have ended. Until it is handled they do not begin again. `refuse`
   * may throw just before.
   */
  signalWithout(
    which: (effect: Effect) => boolean,
    signal: Signal,
    refuse?: (run: Run) => void,
  ): ReturnType<RunActor['signal']>;
  /** Takes an outcome from outside any effect, such as the death of an agent. */
  report(outcome: Outcome): void;
  /** The same, and resolves when it is recorded. */
  record(outcome: Outcome): Promise<void>;
  /** Reads what other daemons wrote to the run, unless this actor has events up to `seq`. Then advances. */
  catchUp(seq?: number): Promise<void>;
  /** Resolves when everything that came before is handled, and its files are written; of an ended run, also committed. */
  settled(): Promise<void>;
  /** Resolves with the clients' error when the run is suspended. */
  readonly suspended: Promise<DevflowError>;
  /** Aborts all effects. Resolves when the mailbox is empty and every performer has returned. */
  stop(): Promise<void>;
}

export function createActor(initial: Run, ports: ActorPorts): RunActor {
  const { runLog, clock, faults, log, perform, agentSlots, onCommitted, onFinished, onSuspended } = ports;
  let run = initial;
  let mailbox: Promise<unknown> = Promise.resolve();
  /** Inputs queued or being handled. */
  let waiting = 0;
  let stopped: DevflowError | undefined;
  let resolveSuspended: (error: DevflowError) => void = () => {};
  const suspended = new Promise<DevflowError>((resolve) => {
    resolveSuspended = resolve;
  });
  const { isElsewhere = false } = ports;
  const exchangeFiles = isElsewhere ? { write: async () => {}, restore: async () => {} } : createExchangeFiles(ports);
  const deliveryWaits = createDeliveryWaits();
  const slots = agentSlots.forRun(initial.id, () => take(undefined));
  const place = ports.runPlaces?.forRun(initial.id, () => take(undefined));
  const advanceOptions = { perform, slots, ...defined({ place }), log, onOutcome: take };
  const advance = ports.createAdvance?.(initial, advanceOptions) ?? createAdvance(advanceOptions);

  /** Handles inputs one at a time: each sees the state that the previous one left. */
  function enqueue<T>(input: () => Promise<T>): Promise<T> {
    waiting += 1;
    const turn = mailbox
      .then(() => {
        if (stopped) throw stopped;
        return input();
      })
      .finally(() => {
        waiting -= 1;
      });
    mailbox = turn.catch(() => {});
    return turn;
  }

  async function commit(next: Transition): Promise<boolean> {
    if (next.events.length === 0) return false;
    const before = run;
    faults.at('transition.before_commit');
    try {
      await runLog.append(before, next.run, next.events, isElsewhere ? { anyHost: true } : undefined);
    } catch (error) {
      // Memory and log may differ now. The run must stop until its log is read again.
      if (!isBehind(error)) suspend(error);
      throw error;
    }
    faults.at('transition.after_commit');
    run = next.run;
    if (!isDelivering(run)) deliveryWaits.release();
    onCommitted(before, next);
    await exchangeFiles.write(run);
    return true;
  }

  /** Takes in what other daemons wrote. Returns false if there is nothing new. */
  async function readNews(): Promise<boolean> {
    const before = run;
    const events = await readTail(runLog, before);
    if (events.length === 0) return false;
    run = replayOn(before, events);
    if (!isDelivering(run)) deliveryWaits.release();
    onCommitted(before, { run, events });
    await exchangeFiles.write(run);
    return true;
  }

  /** Repeats the input on the newest state if another daemon was faster. */
  async function onNewest<T>(input: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await input();
      } catch (error) {
        if (!isBehind(error)) throw error;
        if (await readNews()) continue;
        suspend(error);
        throw error;
      }
    }
  }

  function suspend(error: unknown): void {
    if (stopped) return;
    const reason = suspensionError(run.id, error);
    stopped = reason;
    log.error({ runId: run.id, err: error }, 'the run is suspended');
    resolveSuspended(reason);
    deliveryWaits.release();
    void advance.stop().then(() => onSuspended(run, reason));
  }

  async function move(): Promise<void> {
    advance.to(run);
    if (!isTerminal(run.state) || advance.busy()) return;
    // It has just ended, and its agents are gone: they write these files no more. Later the files are a person's.
    if (run.reportPath === null) await exchangeFiles.restore(run);
    // Drain the mailbox first, or two actors could answer for one run.
    if (waiting <= 1) onFinished(run);
  }

  async function record(outcome: Outcome): Promise<void> {
    await onNewest(() => commit(onOutcome(run, outcome, clock.now().toISOString())));
    await move();
  }

  function take(outcome: Outcome | undefined): void {
    enqueue(async () => (outcome ? record(outcome) : move())).catch((error: unknown) => {
      if (!stopped) suspend(error);
    });
  }

  function signal(input: Signal): ReturnType<RunActor['signal']> {
    return enqueue(async () => {
      const { result, changed } = await onNewest(async () => {
        const complete = await withObserved(run, input, ports.observe);
        const result = onSignal(run, complete, clock.now().toISOString());
        const next = 'refused' in result ? result.replacement : result;
        return { result, changed: next ? await commit(next) : false };
      });
      await move();
      if ('refused' in result) throw result.refused;
      return { run, changed, ...defined({ decision: result.decision }) };
    });
  }

  return {
    run: () => run,
    async settled() {
      await enqueue(async () => {}).catch(() => {});
      if (isDelivering(run) && !stopped && !isElsewhere) await deliveryWaits.wait();
    },
    suspended,
    advance() {
      if (!run.exchange && !isTerminal(run.state)) {
        advance.to(run);
        return;
      }
      void enqueue(async () => {
        await exchangeFiles.write(run);
        await move();
      }).catch(() => {});
    },
    report(outcome) {
      // The agent took the prompt before it died. The log must keep that order.
      const delivery = outcome.type === 'sessionLost' ? advance.delivery(outcome.sessionId) : undefined;
      if (delivery) void delivery.then(() => take(outcome));
      else take(outcome);
    },
    signal,
    async signalWithout(which, input, refuse) {
      const { done, release } = advance.hold(which);
      try {
        // What they brought is in the mailbox before the signal.
        await done;
        refuse?.(run);
        return await signal(input);
      } finally {
        release();
        take(undefined);
      }
    },
    record: (outcome) => enqueue(() => record(outcome)),
    catchUp: (seq = Number.POSITIVE_INFINITY) =>
      enqueue(async () => {
        if (seq > run.lastSeq) await readNews();
        await move();
      }),
    async stop() {
      stopped ??= new DevflowError('shutting_down', 'The daemon is stopping.');
      deliveryWaits.release();
      await mailbox;
      await advance.stop();
    },
  };
}

const PAGE = 1_000;

async function readTail({ readEvents }: Pick<RunLog, 'readEvents'>, { id, lastSeq }: Run): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await readEvents(id, events.at(-1)?.seq ?? lastSeq, PAGE);
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

/** The log has events that this daemon has not read, or one under the same key. */
function isBehind(error: unknown): boolean {
  return error instanceof DevflowError && (error.code === 'run_moved' || error.data.sqlstate === 'DF002');
}

/** Keeps the code, so that a full disk is still reported as `disk_full`. */
function suspensionError(runId: string, error: unknown): DevflowError {
  const { code, message } = toErrorRecord(error);
  return new DevflowError(code, `Run ${runId} is suspended: could not write its log: ${message}`, {
    runId,
    cause: error,
  });
}
