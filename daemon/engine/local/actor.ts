import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { Clock } from '../../clock.ts';
import type { Faults } from '../../faults.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { Outcome } from '../core/effect.ts';
import type { Signal } from '../core/signal.ts';
import type { Decision, Run } from '../core/state.ts';
import { onOutcome, onSignal, type Transition } from '../core/transition.ts';
import { createAdvance } from './advance.ts';
import { type Observe, withObserved } from './observe.ts';
import type { Perform } from './perform.ts';

export interface ActorPorts {
  runLog: Pick<RunLog, 'append'>;
  clock: Clock;
  faults: Faults;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  perform: Perform;
  /** Reads what is under decision, in the actor's turn, so nothing of this run happens between reading and deciding. */
  observe: Observe;
  /** Called after each commit. Must not throw. */
  onCommitted(before: Run, after: Transition): void;
  /** Called once the run has ended and nothing is left to do for it. */
  onFinished(run: Run): void;
  /** Called when the actor can do no more, with everything let go: memory and log may differ, the log is right. */
  onParked(run: Run, error: DevflowError): void;
}

/** One open run: its state in memory, what is in flight for it, and a mailbox that takes one input at a time. */
export interface RunActor {
  run(): Run;
  /** Begins what is due. Call once; afterwards every input does it. */
  advance(): void;
  /** Answers a person. Rejects with the refusal. */
  signal(signal: Signal): Promise<{ run: Run; decision?: Decision; changed: boolean }>;
  /** News from outside any effect, such as an agent that died. */
  tell(outcome: Outcome): void;
  /** Resolves, with the error that its clients get, when the actor can do no more. */
  readonly parked: Promise<DevflowError>;
  /** Lets go of everything in flight; resolves when the mailbox is empty and every performer has returned. */
  stop(): Promise<void>;
}

export function createActor(initial: Run, ports: ActorPorts): RunActor {
  const { runLog, clock, faults, log, perform, onCommitted, onFinished, onParked } = ports;
  let run = initial;
  let mailbox: Promise<unknown> = Promise.resolve();
  /** Inputs taken and not yet answered. */
  let waiting = 0;
  let stopped: DevflowError | undefined;
  let tellParked: (error: DevflowError) => void = () => {};
  const parked = new Promise<DevflowError>((resolve) => {
    tellParked = resolve;
  });
  const advance = createAdvance({ perform, log, onOutcome: take });

  /** One input after the other: the next one sees the state that this one left. */
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
      await runLog.append(before, next.run, next.events);
    } catch (error) {
      // What is in memory and what is written may differ now: this run does nothing more until the log is read again.
      park(error);
      throw error;
    }
    faults.at('transition.after_commit');
    run = next.run;
    onCommitted(before, next);
    return true;
  }

  function park(error: unknown): void {
    if (stopped) return;
    const reason = parkedError(run.id, error);
    stopped = reason;
    log.error({ runId: run.id, err: error }, 'the run is parked');
    tellParked(reason);
    void advance.stop().then(() => onParked(run, reason));
  }

  function move(): void {
    advance.to(run);
    // Who waits in the mailbox would otherwise be answered beside the actor that comes next.
    if (isTerminal(run.state) && !advance.busy() && waiting <= 1) onFinished(run);
  }

  function take(outcome: Outcome | undefined): void {
    enqueue(async () => {
      if (outcome) await commit(onOutcome(run, outcome, clock.now().toISOString()));
      move();
    }).catch((error: unknown) => {
      if (!stopped) park(error);
    });
  }

  return {
    run: () => run,
    parked,
    advance: move,
    tell(outcome) {
      // The agent took the prompt before it died, and the log keeps that order.
      const delivery = outcome.type === 'sessionLost' ? advance.delivery(outcome.sessionId) : undefined;
      if (delivery) void delivery.then(() => take(outcome));
      else take(outcome);
    },
    signal(signal) {
      return enqueue(async () => {
        const asked = await withObserved(run, signal, ports.observe);
        const answer = onSignal(run, asked, clock.now().toISOString());
        const next = 'refused' in answer ? answer.anew : answer;
        const changed = next ? await commit(next) : false;
        move();
        if ('refused' in answer) throw answer.refused;
        return { run, changed, ...(answer.decision ? { decision: answer.decision } : {}) };
      });
    },
    async stop() {
      stopped ??= new DevflowError('shutting_down', 'The daemon is stopping.');
      await mailbox;
      await advance.stop();
    },
  };
}

/** Our own errors keep their code: a full disk is a full disk. */
function parkedError(runId: string, error: unknown): DevflowError {
  const code = error instanceof DevflowError ? error.code : 'internal';
  const why = error instanceof Error ? error.message : String(error);
  return new DevflowError(code, `Run ${runId} rests, because its log could not be written: ${why}`, {
    runId,
    cause: error,
  });
}
