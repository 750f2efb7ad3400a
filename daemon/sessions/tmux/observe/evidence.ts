/** What an agent is, as far as a person or a prompt is concerned. UNKNOWN is an answer too. */
export type AgentState =
  | 'STARTING'
  | 'READY'
  | 'BUSY'
  /** It asks a person something. */
  | 'WAITING'
  /** Something on the screen wants an answer, and nothing says what it is. */
  | 'DIALOG'
  | 'ERROR'
  | 'QUOTA'
  | 'LOGIN'
  | 'DEAD'
  | 'UNKNOWN';

/** In the order of their authority. A hook and a record tell of a moment; the others of how it is now. */
export const SOURCES = ['process', 'dialog', 'state file', 'record', 'hook', 'title', 'screen'] as const;
export type Source = (typeof SOURCES)[number];

/** The newest that one source has to say. */
export interface Signal {
  source: Source;
  /** Since when it says so. */
  at: number;
  fact: string;
  says?: AgentState;
  /** What it asks for, or what is wrong, for a person; the fact where nothing better is known. */
  about?: string;
  /** When it stops being so by itself. */
  until?: number;
  /** What it says from then on, where that is not READY. */
  after?: 'BUSY';
}

export interface AgentStatus {
  state: AgentState;
  /** The rule that decided, in a sentence. */
  rule: string;
  since: number;
  detail: string;
  /** For a person. */
  about: string;
  until?: number;
  after?: 'BUSY';
  signals: Signal[];
}

/** How long a weaker sign must stand against an older hook before it is believed: Esc, for one, fires no hook. */
export const OVERRIDE_MS = 1500;

/** A quota of which no end was told is worth another try after so long. */
export const QUOTA_RETRY_MS = 15 * 60_000;

/** Errors that end a turn and leave the agent idle: only a hook or the screen knows them. */
const FAILURES: readonly AgentState[] = ['ERROR', 'QUOTA', 'LOGIN'];

/**
 * What the signals together say. Caution is immediate, permission is not: a sign of work counts at once from whichever
 * source, a sign of rest against an older sign of work only where that is a moment's and the rest has lasted.
 * READY needs no repeating: it lasts until something speaks against it. Pure.
 */
export function weighEvidence(signals: readonly Signal[], now: number): AgentStatus {
  const of = (source: Source) => {
    const signal = signals.findLast((each) => each.source === source && each.says !== undefined);
    return signal && asOf(withEnd(signal), now);
  };
  const answer = (by: Signal, rule: string): AgentStatus => ({
    ...{ state: by.says ?? 'UNKNOWN', rule, since: by.at, detail: by.fact, until: by.until, after: by.after },
    about: by.about ?? by.fact,
    signals: [...signals].sort((a, b) => a.at - b.at),
  });

  const [process, dialog, file, record, hook, title, screen] = SOURCES.map(of);
  if (process?.says === 'DEAD') return answer(process, 'its process has ended');
  if (dialog) {
    const asked = [file, hook].find((each) => each?.says === 'WAITING');
    if (asked) return answer(asked, `a dialog is on the screen, and the ${asked.source} says what it waits for`);
    return answer(dialog, 'a dialog on the screen gets no key, whatever else is said');
  }
  const working = [file, title, screen].find((each) => each?.says === 'BUSY' || each?.says === 'WAITING');
  if (file) {
    if (file.says !== 'READY') return answer(file, 'the state file of the living process decides');
    if (working) return answer(working, `the ${working.source} says that it works, and caution comes first`);
    // Claude 2.1.197 tells its hook of a prompt some 100 ms before its state file; older, the hook may be one that came late.
    const isFresh = hook?.says === 'BUSY' && hook.at > file.at && now - hook.at < OVERRIDE_MS;
    if (isFresh) return answer(hook, 'the hook has just said that it works, and caution comes first');
    const failed = hook?.says !== undefined && FAILURES.includes(hook.says);
    if (failed) return answer(hook, 'the state file says idle, and the last hook why the turn ended');
    if (screen?.says === 'LOGIN')
      return answer(screen, 'the state file says idle, and the screen that nobody is logged in');
    return answer(file, 'the state file of the living process decides');
  }
  const turn = record && judgeRecord(record, { hook, working, screen, now });
  if (turn) return answer(turn.by, turn.rule);
  if (hook) {
    if (hook.says !== 'BUSY' && hook.says !== 'WAITING') {
      if (working) return answer(working, `the ${working.source} says that it works, and caution comes first`);
      return answer(hook, 'the last hook decides');
    }
    // Only what is drawn while it waits can speak against a question; against work the title can, too.
    const against = [hook.says === 'BUSY' ? title : undefined, screen].find(
      (each) => each?.says === 'READY' && each.at > hook.at && now - each.at >= OVERRIDE_MS,
    );
    if (against && !working) return answer(against, `the ${against.source} says otherwise, and has for a while`);
    return answer(hook, 'the last hook decides');
  }
  if (working) return answer(working, `the ${working.source} decides: no hook and no state file was seen`);
  if (title) return answer(title, 'the title decides: no hook and no state file was seen');
  if (screen) return answer(screen, 'the screen decides: there is nothing better');
  if (process?.says) return answer(process, 'nothing is known but that its process lives');
  return {
    ...{ state: 'UNKNOWN', rule: 'no signal says anything', since: now, detail: 'nothing was seen' },
    about: 'nothing was seen',
    signals: [...signals],
  };
}

/**
 * What the agent's own record of its turns decides; undefined where a newer hook does. It has each turn's end, also of
 * those that fail, of which no hook tells.
 */
function judgeRecord(
  record: Signal,
  seen: { hook?: Signal; working?: Signal; screen?: Signal; now: number },
): { by: Signal; rule: string } | undefined {
  const { hook, working, screen, now } = seen;
  const isNewer = hook !== undefined && hook.at > record.at;
  if (record.says === 'BUSY') {
    const isOver = isNewer && (hook.says !== 'READY' || now - hook.at >= OVERRIDE_MS);
    return isOver ? undefined : { by: record, rule: 'the record has a turn that began and has not ended' };
  }
  if (isNewer) return undefined;
  if (working) return { by: working, rule: `the ${working.source} says that it works, and caution comes first` };
  const isFailed = hook?.says !== 'READY' && screen?.says !== undefined && FAILURES.includes(screen.says);
  if (isFailed) return { by: screen, rule: 'the record has the end of the turn, and the screen shows why' };
  return { by: record, rule: 'the record has the end of the last turn' };
}

function withEnd(signal: Signal): Signal {
  if (signal.says !== 'QUOTA' || signal.until !== undefined) return signal;
  const about = `${signal.about ?? signal.fact} (no end was told; another try after ${QUOTA_RETRY_MS / 60_000} minutes)`;
  return { ...signal, about, until: signal.at + QUOTA_RETRY_MS };
}

function asOf(signal: Signal, now: number): Signal {
  if (signal.until === undefined || signal.until > now) return signal;
  return { ...signal, says: signal.after ?? 'READY', at: signal.until, until: undefined };
}

/** Their word of rest counts only after a while, against some others. */
const RESTING: readonly Source[] = ['hook', 'title', 'screen'];

/** When the verdict may change though no signal does; undefined when it will not. */
export function reconsiderAt(signals: readonly Signal[], now: number): number | undefined {
  const times = signals
    .map(withEnd)
    .flatMap(({ at, until, says, source }) => [
      ...(until === undefined ? [] : [until]),
      ...(says === 'READY' && RESTING.includes(source) ? [at + OVERRIDE_MS] : []),
      ...(says === 'BUSY' && source === 'hook' ? [at + OVERRIDE_MS] : []),
    ]);
  const ahead = times.filter((time) => time > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
