import {
  ActivityCancellationType,
  ActivityFailure,
  type ActivityOptions,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import {
  BEGINNING,
  type Command,
  type Ending,
  isComplete,
  landed,
  moved,
  type Planned,
  type PlanState,
  resumed,
  type View,
} from './plan.ts';

/** Milliseconds that a start of the workflow sets. They are arguments, so a change does not break running workflows. */
export interface Patience {
  /** After this time without a sign of life Temporal gives an effect to the host again. */
  heartbeat: number;
  /** After this time without a worker of the host a person is asked. */
  silentHost: number;
}

type Attempt = (...args: unknown[]) => Promise<View>;

/**
 * Carries out the plan of one run: the only devflow code in Temporal's sandbox. `plan.ts` decides, this says it in Temporal's
 * words. Names and types here are part of recorded histories and must not change.
 */
export async function run(runId: string, patience: Patience, from: PlanState = BEGINNING): Promise<void> {
  let state = from;
  const root = CancellationScope.current();
  const going = new Map<number, CancellationScope>();

  function take({ state: next, commands }: Planned): void {
    state = next;
    for (const command of commands) {
      if (command.do === 'cancel') going.get(command.id)?.cancel();
      else void begin(command);
    }
  }

  async function begin(command: Exclude<Command, { do: 'cancel' }>): Promise<void> {
    const scope = new CancellationScope({ cancellable: true, parent: root });
    going.set(command.id, scope);
    try {
      const ending = await scope.run(() => carryOut(command));
      take(landed(state, command.id, ending, Date.now()));
    } catch (error) {
      if (!isCancellation(error)) take(landed(state, command.id, { cause: causeOf(error) }, Date.now()));
    } finally {
      going.delete(command.id);
    }
  }

  async function carryOut(command: Exclude<Command, { do: 'cancel' }>): Promise<Ending> {
    if (command.do === 'timer') {
      await sleep(command.ms);
      return { cause: 'fired' };
    }
    if (command.do === 'perform') {
      const { type, key, seq, queue } = command;
      return { view: await onHost(queue, patience, type)(runId, key, seq) };
    }
    const { key } = command;
    if (command.do === 'expire') return { view: await anywhere('expire')(runId, key) };
    return { view: await anywhere('silent')(runId, key, command.queue) };
  }

  setHandler(defineSignal<[View]>('moved'), (view) => take(moved(state, view, Date.now())));
  if (from !== BEGINNING) take(resumed(from, Date.now()));
  await condition(() => isComplete(state) || workflowInfo().continueAsNewSuggested);
  if (isComplete(state)) return;
  await continueAsNew<typeof run>(runId, patience, state);
}

/** Retried without end: performers say themselves when they give up. */
const retry = { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 10_000 };

function onHost(taskQueue: string, { heartbeat, silentHost }: Patience, type: string): Attempt {
  return activity(type, {
    taskQueue,
    startToCloseTimeout: '30 days',
    heartbeatTimeout: heartbeat,
    scheduleToStartTimeout: silentHost,
  });
}

/** On any daemon. */
function anywhere(type: string): Attempt {
  return activity(type, { startToCloseTimeout: 10_000 });
}

function activity(type: string, options: ActivityOptions): Attempt {
  const cancellationType = ActivityCancellationType.TRY_CANCEL;
  // A proxy has every name.
  return proxyActivities<Record<string, Attempt>>({ ...options, cancellationType, retry })[type] as Attempt;
}

function causeOf(error: unknown): 'silent' | 'failed' {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START' ? 'silent' : 'failed';
}
