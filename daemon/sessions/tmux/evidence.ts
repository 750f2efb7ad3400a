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

/** In the order of their authority. A hook tells of a moment; the others of how it is now. */
export const SOURCES = ['process', 'dialog', 'state file', 'hook', 'title', 'screen'] as const;
export type Source = (typeof SOURCES)[number];

/** The newest that one source has to say. */
export interface Signal {
  source: Source;
  /** Since when it says so. */
  at: number;
  fact: string;
  says?: AgentState;
  /** When it stops being so by itself. */
  until?: number;
}

export interface Verdict {
  state: AgentState;
  /** The rule that decided, in a sentence. */
  rule: string;
  since: number;
  detail: string;
  until?: number;
  signals: Signal[];
}

/** How long a weaker sign must stand against an older hook before it is believed: Esc, for one, fires no hook. */
export const OVERRIDE_MS = 1500;

/** Errors that end a turn and leave the agent idle: only a hook or the screen knows them. */
const FAILURES: readonly AgentState[] = ['ERROR', 'QUOTA', 'LOGIN'];

/**
 * What the signals together say. Caution is immediate, permission is not: a sign of work counts at once from whichever
 * source, a sign of rest against an older sign of work only where that is a moment's and the rest has lasted.
 * READY needs no repeating: it lasts until something speaks against it. Pure.
 */
export function judgeEvidence(signals: readonly Signal[], now: number): Verdict {
  const of = (source: Source) => {
    const signal = signals.findLast((each) => each.source === source && each.says !== undefined);
    return signal?.until !== undefined && signal.until <= now ? { ...signal, says: 'READY' as const } : signal;
  };
  const answer = (by: Signal, rule: string): Verdict => ({
    ...{ state: by.says ?? 'UNKNOWN', rule, since: by.at, detail: by.fact, until: by.until },
    signals: [...signals].sort((a, b) => a.at - b.at),
  });

  const [process, dialog, file, hook, title, screen] = SOURCES.map(of);
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
    const failed = hook?.says !== undefined && FAILURES.includes(hook.says);
    if (failed) return answer(hook, 'the state file says idle, and the last hook why the turn ended');
    return answer(file, 'the state file of the living process decides');
  }
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
    signals: [...signals],
  };
}

/** When the verdict may change though no signal does; undefined when it will not. */
export function reconsiderAt(signals: readonly Signal[], now: number): number | undefined {
  const times = signals.flatMap(({ at, until, says, source }) => [
    ...(until === undefined ? [] : [until]),
    ...(says === 'READY' && (source === 'title' || source === 'screen') ? [at + OVERRIDE_MS] : []),
  ]);
  const ahead = times.filter((time) => time > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
