/** An agent's state, as a person or a prompt needs to know it. */
export type AgentState =
  | 'STARTING'
  | 'READY'
  | 'BUSY'
  /** It asks a person a question. */
  | 'WAITING'
  /** A dialog on the screen needs an answer; nothing says which. */
  | 'DIALOG'
  | 'ERROR'
  | 'QUOTA'
  | 'LOGIN'
  | 'DEAD'
  | 'UNKNOWN';

/** States that a person or the clock ends, however long that takes. */
export const ENDED_BY_OTHERS: readonly AgentState[] = ['WAITING', 'DIALOG', 'QUOTA', 'LOGIN'];

/** Most reliable first. A hook and a record report a moment; the others report the present. */
export const SOURCES = ['process', 'dialog', 'state file', 'record', 'hook', 'title', 'screen'] as const;
export type Source = (typeof SOURCES)[number];

/** The newest signal of one source. */
export interface Signal {
  source: Source;
  /** Since when the source says so, by the steady clock. */
  at: number;
  /** When the source last said so. */
  seenAt?: number;
  fact: string;
  says?: AgentState;
  /** The agent's question or problem, in words for a person. Default: the fact. */
  about?: string;
  /** When the state ends by itself, by the wall clock: programs name a time of day. */
  until?: number;
  /** When devflow retries if the program names no end, by both clocks: the steady one decides. */
  retry?: Moment;
  /** The state after `until`, if not READY. */
  after?: 'BUSY';
  /** The program reported the end of its turn, not only that it rests. */
  endsTurn?: true;
  /** It looks like the end of a turn, and proves nothing. */
  mayEndTurn?: true;
  /** The agent's last words, at the end of its turn. */
  words?: string;
  /** The tool that a hook is about. */
  tool?: string;
}

export interface AgentStatus {
  state: AgentState;
  /** The rule that decided, as a sentence. */
  rule: string;
  since: number;
  detail: string;
  /** For a person. */
  about: string;
  until?: number;
  after?: 'BUSY';
  signals: Signal[];
}

/** The time for which a weaker sign must contradict an older hook before it counts. Esc, for one, fires no hook. */
export const OVERRIDE_MS = 1500;

/** The retry time of a usage limit without a known end. */
export const QUOTA_RETRY_MS = 15 * 60_000;

/** Errors that end a turn and leave the agent idle. Only a hook or the screen reports them. */
export const FAILURES: readonly AgentState[] = ['ERROR', 'QUOTA', 'LOGIN'];

/** Both clocks at one moment. */
export interface Moment {
  steady: number;
  wall: number;
}

/**
 * The verdict of all signals. A sign of work counts at once, from any source. Rest outweighs an older sign of work only if
 * a hook or record reported the work and the rest lasted. READY lasts until another sign contradicts it. Pure.
 */
export function weighEvidence(signals: readonly Signal[], moment: Moment): AgentStatus {
  const now = moment.steady;
  const of = (source: Source) => {
    const signal = signals.findLast((each) => each.source === source && each.says !== undefined);
    return signal && asOf(signal, moment);
  };
  const answer = (by: Signal, rule: string): AgentStatus => ({
    state: by.says ?? 'UNKNOWN',
    rule,
    since: by.at,
    detail: by.fact,
    until: by.until,
    after: by.after,
    about: by.about ?? by.fact,
    signals: [...signals].sort((a, b) => a.at - b.at),
  });

  const [process, dialog, file, record, hook, title, screen] = SOURCES.map(of);
  if (process?.says === 'DEAD') return answer(process, 'its process has ended');
  const limit = [dialog, hook].find((each) => each?.says === 'QUOTA');
  if (limit && (dialog?.says === 'QUOTA' || file?.says === 'WAITING'))
    return answer(limit, `the ${limit.source} names a limit, and its menu waits for an answer`);
  if (dialog) {
    // No hook reports that a person declined a question (Esc). The state file shows that it is over.
    const isOver = hook !== undefined && file?.says === 'READY' && file.at > hook.at;
    const asked = [file, isOver ? undefined : hook].find((each) => each?.says === 'WAITING');
    if (asked) return answer(asked, `a dialog is on the screen, and the ${asked.source} says what it waits for`);
    // Also the menu of a limit that is over.
    return answer({ ...dialog, says: 'DIALOG' }, 'a dialog is on the screen, so devflow types nothing');
  }
  // The news of a title may be late, or get lost. A program that goes on after its hook shows its title anew.
  const isPast =
    title?.seenAt !== undefined && hook?.endsTurn && hook.at > title.seenAt && now - hook.at >= OVERRIDE_MS;
  const working = [file, isPast ? undefined : title, screen].find(
    (each) => each?.says === 'BUSY' || each?.says === 'WAITING',
  );
  if (file) {
    if (file.says !== 'READY') return answer(file, 'the state file of the living process decides');
    if (working) return answer(working, `the ${working.source} says that it works, which counts first`);
    // Claude 2.1.197 runs its hook about 100 ms before it writes its state file. An older hook may have come late.
    const isFresh = hook?.says === 'BUSY' && hook.at > file.at && now - hook.at < OVERRIDE_MS;
    if (isFresh) return answer(hook, 'the hook has just said that it works, which counts first');
    const failed = hook?.says !== undefined && FAILURES.includes(hook.says);
    if (failed) return answer(hook, 'the state file says idle, and the last hook says why the turn ended');
    if (screen?.says === 'LOGIN')
      return answer(screen, 'the state file says idle, and the screen says that nobody is logged in');
    return answer(file, 'the state file of the living process decides');
  }
  const turn = record && judgeRecord(record, { hook, working, screen, now });
  if (turn) return answer(turn.by, turn.rule);
  if (hook) {
    if (hook.says !== 'BUSY' && hook.says !== 'WAITING') {
      if (working) return answer(working, `the ${working.source} says that it works, which counts first`);
      return answer(hook, 'the last hook decides');
    }
    // Only the screen can contradict a question; the title can contradict work too.
    const against = [hook.says === 'BUSY' ? title : undefined, screen].find(
      (each) => each?.says === 'READY' && each.at > hook.at && now - each.at >= OVERRIDE_MS,
    );
    if (against && !working) return answer(against, `the ${against.source} has contradicted it for a while`);
    return answer(hook, 'the last hook decides');
  }
  if (working) return answer(working, `the ${working.source} decides: there is no hook and no state file`);
  if (title) return answer(title, 'the title decides: there is no hook and no state file');
  if (screen) return answer(screen, 'the screen decides: there is nothing better');
  if (process?.says) return answer(process, 'only its living process is known');
  return {
    state: 'UNKNOWN',
    rule: 'no signal says its state',
    since: now,
    detail: 'no signal',
    about: 'no signal',
    signals: [...signals],
  };
}

/**
 * True if a hook has said why the turn failed, and something else still shows work. A hook comes before the redraw, so
 * the work may be what the screen showed before it. Pure.
 */
export function isContradicted({ state, signals }: AgentStatus): boolean {
  const hook = signals.findLast(({ source }) => source === 'hook');
  return state === 'BUSY' && hook?.says !== undefined && FAILURES.includes(hook.says);
}

/**
 * The verdict of the agent's own record of its turns; undefined if a newer hook decides. The record has each turn's
 * end, also of failed turns, which no hook reports.
 */
function judgeRecord(
  record: Signal,
  seen: { hook?: Signal; working?: Signal; screen?: Signal; now: number },
): { by: Signal; rule: string } | undefined {
  const { hook, working, screen, now } = seen;
  const isNewer = hook !== undefined && hook.at > record.at;
  if (record.says === 'BUSY') {
    const isOver = isNewer && (hook.says !== 'READY' || now - hook.at >= OVERRIDE_MS);
    return isOver ? undefined : { by: record, rule: 'the record has a turn without an end' };
  }
  if (isNewer) return undefined;
  if (working) return { by: working, rule: `the ${working.source} says that it works, which counts first` };
  const isFailed = hook?.says !== 'READY' && screen?.says !== undefined && FAILURES.includes(screen.says);
  if (isFailed) return { by: screen, rule: 'the record has the end of the turn, and the screen shows why' };
  return { by: record, rule: 'the record has the end of the last turn' };
}

/** The state lasts until the retry. A person is told why. */
function withRetry(signal: Signal, retry: Moment): Signal {
  if (signal.says !== 'QUOTA') return { ...signal, until: retry.wall };
  const about = `${signal.about ?? signal.fact} (its end is unknown; next try after ${QUOTA_RETRY_MS / 60_000} minutes)`;
  return { ...signal, about, until: retry.wall };
}

function asOf(signal: Signal, moment: Moment): Signal {
  const endsAt = endOf(signal, moment);
  if (endsAt === undefined) return signal;
  if (endsAt <= moment.steady) return { ...signal, says: signal.after ?? 'READY', at: endsAt, until: undefined };
  return signal.until === undefined && signal.retry ? withRetry(signal, signal.retry) : signal;
}

/** When the state ends by itself, by the steady clock. */
function endOf({ until, retry }: Signal, { steady, wall }: Moment): number | undefined {
  return until === undefined ? retry?.steady : steady - wall + until;
}

/** Their sign of rest counts against some others only after a while. */
const REPORTS_REST: readonly Source[] = ['hook', 'title', 'screen'];

/** Milliseconds until the status may change without a new signal; undefined if it will not. */
export function reconsiderIn(signals: readonly Signal[], moment: Moment): number | undefined {
  const now = moment.steady;
  const times = signals.flatMap((signal) => {
    const { at, says, source } = signal;
    const endsAt = endOf(signal, moment);
    return [
      ...(endsAt === undefined ? [] : [endsAt]),
      ...(says === 'READY' && REPORTS_REST.includes(source) ? [at + OVERRIDE_MS] : []),
      ...(says === 'BUSY' && source === 'hook' ? [at + OVERRIDE_MS] : []),
    ];
  });
  const ahead = times.filter((time) => time > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead) - now;
}
