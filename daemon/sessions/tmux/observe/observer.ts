import { join } from 'node:path';
import { createReportedTimes, steadyNow, steadyTimeOf, wallTimeOf } from '../../../../schemas/time/steadyTime.ts';
import type { PaneId } from '../../../../tmux/command/ids.ts';
import type { Runner } from '../../../../tmux/command/runner.ts';
import { capturePane } from '../../../../tmux/panes/capture.ts';
import { readPane } from '../../../../tmux/panes/panes.ts';
import { outputEnd } from '../output/outputFiles.ts';
import { createOutputReader, lastWrittenAt, readBracketedPaste } from '../output/outputSignals.ts';
import { tailOutput } from '../output/outputTail.ts';
import {
  type AgentState,
  type AgentStatus,
  FAILURES,
  type Moment,
  QUOTA_RETRY_MS,
  reconsiderIn,
  type Signal,
  type Source,
  weighEvidence,
} from '../profile/evidence.ts';
import type { HookEvent, Profile, Reading, RecordEntry, ScreenReading } from '../profile/profile.ts';
import type { Screen } from '../profile/screen.ts';
import { type Changes, createChanges } from './changes.ts';
import { type HookFiles, watchHooks } from './hookFiles.ts';
import { HOOK_DIRECTORY } from './hookScript.ts';
import { watchRecord } from './recordFile.ts';
import { watchStateFile } from './stateFiles.ts';

export interface ObserverInput {
  profile: Profile;
  runner: Runner;
  pane: PaneId;
  sessionDir: string;
  outputDir: string;
  env: Readonly<Record<string, string>>;
  launchedAt: number;
  /** The longest time from then until it can take a prompt. */
  startMs: number;
  /** The wait after a turn with an error, until a retry is worthwhile. */
  errorRetryMs: number;
  conversationId(): string | undefined;
  /** The program's own record of the conversation. */
  recordPath(): string | undefined;
  /** The first process of the pane. */
  leader: number;
  /** Called once for each hook, before anybody is notified of the change. */
  onHook(event: HookEvent): void;
}

/** Gathers all evidence about one agent as it arrives. All times are of the steady clock. */
export interface Observer {
  readonly changes: Changes;
  status(): AgentStatus;
  /** When the pane last printed, also before this process started; undefined if never. */
  lastOutputAt(): number | undefined;
  /**
   * The same by the file of the output, for decisions about the pane's silence. The reader of a pane that prints
   * constantly is up to 85 ms late.
   */
  printedAt(): number | undefined;
  bracketedPaste(): boolean;
  /** When the agent was first ready for a prompt; undefined before. */
  firstReadyAt(): number | undefined;
  /** Reads the screen now. */
  readScreen(): Promise<ScreenReading & { screen: Screen }>;
  /** True if the pane has printed since the screen was last read. */
  isScreenStale(): boolean;
  /** As it was last read. */
  lastScreen(): Screen;
  /** Milliseconds until the status may change without a new signal. */
  changesIn(status: AgentStatus): number | undefined;
  /** True if a turn began after that time, also if it has ended since. */
  turnBeganAfter(time: number): boolean;
  noteDeath(fact: string): void;
  /** Reads hooks whose file notification has not arrived yet. */
  lookAtHooks(): void;
  /** The hooks seen so far are recorded; their files may go. */
  pruneHooks(): void;
  close(): Promise<void>;
}

export async function observe(input: ObserverInput): Promise<Observer> {
  const { profile, runner, pane } = input;
  const changes = createChanges();
  const signals = new Map<Source, Signal>();
  const ending = new AbortController();
  // Observations of an earlier process count: its paste may be milliseconds old.
  const writtenAt = lastWrittenAt(input.outputDir);
  let lastOutputAt = writtenAt === undefined ? undefined : steadyTimeOf(writtenAt);
  let firstReadyAt: number | undefined;
  let screenReadAt = 0;
  let lastScreen: Screen = { lines: [] };
  let turnBeganAt = Number.NEGATIVE_INFINITY;
  let hooks: HookFiles | undefined;

  /** `at` stays the first time a source said so, except for sources that report moments. */
  function note(source: Source, reading: Partial<Reading>, fact: string, at = steadyNow()): void {
    const { state: says, detail: about, until, after, endsTurn, mayEndTurn, words, tool } = reading;
    const last = signals.get(source);
    const before = last?.says === says && source !== 'hook' && source !== 'record' ? last : undefined;
    const isStart = source === 'title' && profile.spinsAtStart === true && !signals.has('hook');
    if (!before && !isStart && isInTurn(source, says)) turnBeganAt = Math.max(turnBeganAt, at);
    // The screen showed an earlier turn.
    if (says === 'BUSY' && !before) signals.delete('screen');
    // A repeated fact does not move its end: later, the same time of day would mean tomorrow. The time of an error
    // counts from when it was seen. An error from a time without a daemon is so reported and retried too.
    const since = before?.at ?? at;
    const { until: end, retry } = before?.fact === fact ? before : { until, retry: retryOf(says, since) };
    const times = { at: since, seenAt: at, until: end, retry };
    signals.set(source, { source, says, about, fact, after, endsTurn, mayEndTurn, words, tool, ...times });
  }

  function retryOf(says: AgentState | undefined, since: number): Moment | undefined {
    if (says !== 'QUOTA' && says !== 'ERROR') return undefined;
    const steady = says === 'QUOTA' ? since + QUOTA_RETRY_MS : steadyNow() + input.errorRetryMs;
    return { steady, wall: wallTimeOf(steady) };
  }

  function status(): AgentStatus {
    // The news of a hook may come later than what it contradicts.
    hooks?.look();
    lookAtStateFile();
    lookAtRecord();
    const moment = { steady: steadyNow(), wall: Date.now() };
    const now = moment.steady;
    const starting = !signals.has('process') && now - input.launchedAt < input.startMs;
    const alive: Signal = {
      source: 'process',
      at: input.launchedAt,
      fact: 'alive',
      ...(starting ? { says: 'STARTING' as const } : {}),
    };
    // Newer output may have changed the whole screen.
    const all = [...signals.values()].filter(({ source }) => source !== 'screen' || !isScreenStale());
    const found = weighEvidence(signals.has('process') ? all : [alive, ...all], moment);
    if (found.state === 'READY') firstReadyAt ??= now;
    return found;
  }

  function isScreenStale(): boolean {
    return lastOutputAt !== undefined && lastOutputAt > screenReadAt;
  }

  function onHook(event: HookEvent, at: number): void {
    input.onHook(event);
    const reading = profile.readHook(event);
    if (reading && !isBesideQuestion(reading, signals.get('hook')))
      note('hook', reading, factOf(event.name, reading), at);
    // Only the screen has the end of a limit, and it may have been read just before the hook came.
    if (reading?.state === 'QUOTA' && reading.until === undefined) screenReadAt = Number.NEGATIVE_INFINITY;
    changes.notify();
  }

  const file = profile.stateFile;
  const stateFile = file && watchStateFile(file.directory(input.env), readState, changes.notify, input.leader);
  function readState(data: unknown) {
    const id = input.conversationId();
    return id === undefined ? undefined : file?.read(data, id);
  }
  const stateTimes = createReportedTimes();
  function lookAtStateFile(): void {
    const reading = stateFile?.look();
    if (!reading) signals.delete('state file');
    else note('state file', reading, factOf(reading.state, reading), stateTimes.steady(reading.at));
    stateTimes.looked();
  }

  const { readRecord } = profile;
  const { conversationId, recordPath: path, launchedAt: since } = input;
  const record = readRecord && watchRecord({ path, read: readRecord, conversationId, since, onChange: changes.notify });
  let lastEntry: RecordEntry | undefined;
  function lookAtRecord(): void {
    const entry = record?.look();
    if (!entry || entry === lastEntry) return;
    lastEntry = entry;
    const { state, endsTurn, mayEndTurn, words } = entry;
    note('record', { state, endsTurn, mayEndTurn, words }, entry.detail, entry.at);
  }

  hooks = await watchHooks(join(input.sessionDir, HOOK_DIRECTORY), onHook);
  const fromOffset = outputEnd(input.outputDir);
  const output = createOutputReader(readBracketedPaste(input.outputDir));
  let { bracketedPaste } = output.push(Buffer.alloc(0));
  // If the directory is removed, no more output comes.
  const tailing = follow().catch(() => {});
  const shown = await readPane(runner, pane);
  // The output may have had a newer one meanwhile.
  if (shown && !signals.has('title')) noteTitle(shown.title);
  hooks.look();
  await readScreen().catch(() => {});

  function noteTitle(title: string): void {
    note('title', { state: profile.readTitle(title) }, title);
  }

  async function follow(): Promise<void> {
    const options = { directory: input.outputDir, fromOffset, signal: ending.signal, unmarked: true };
    for await (const { bytes } of tailOutput(options)) {
      const said = output.push(bytes);
      const before = { bracketedPaste, title: signals.get('title')?.says };
      bracketedPaste = said.bracketedPaste;
      for (const title of said.titles) noteTitle(title);
      lastOutputAt = steadyNow();
      // Many programs animate their title.
      const isSame = before.bracketedPaste === bracketedPaste && before.title === signals.get('title')?.says;
      changes.notify(isSame ? 'output' : 'evidence');
    }
  }

  async function readScreen(): Promise<ScreenReading & { screen: Screen }> {
    const askedAt = steadyNow();
    const screen = { lines: await capturePane(runner, pane, { escapes: true }) };
    lastScreen = screen;
    const hook = signals.get('hook');
    const printedAt = lastOutputAt ?? askedAt;
    const reading = profile.readScreen(screen, wallTimeOf(hook?.says === 'QUOTA' ? hook.at : printedAt));
    screenReadAt = askedAt;
    const isAsking = reading.composer === undefined && reading.dialog !== undefined;
    const wasAsking = signals.has('dialog');
    if (isAsking) note('dialog', reading.state === 'QUOTA' ? reading : { state: 'DIALOG' }, reading.dialog ?? '');
    else signals.delete('dialog');
    note('screen', reading, factOf(reading.state ?? 'no state', reading));
    if (hook?.says === 'QUOTA' && reading.until !== undefined) signals.set('hook', withLimit(hook, reading));
    // Notify here: a dialog may disappear last, when no other sign changes.
    if (isAsking !== wasAsking) changes.notify();
    return { ...reading, screen };
  }

  const outputTimes = createReportedTimes();
  function printedAt(): number | undefined {
    const fileTime = lastWrittenAt(input.outputDir);
    const at = fileTime === undefined ? lastOutputAt : outputTimes.steady(fileTime);
    outputTimes.looked();
    return at;
  }

  return {
    changes,
    status,
    lastOutputAt: () => lastOutputAt,
    printedAt,
    bracketedPaste: () => bracketedPaste,
    firstReadyAt: () => firstReadyAt,
    readScreen,
    isScreenStale,
    lastScreen: () => lastScreen,
    changesIn({ signals: weighed }) {
      const ms = reconsiderIn(weighed, { steady: steadyNow(), wall: Date.now() });
      return ms === undefined ? undefined : Math.max(1, ms);
    },
    noteDeath(fact) {
      note('process', { state: 'DEAD' }, fact);
      changes.notify();
    },
    turnBeganAfter(time) {
      status();
      return turnBeganAt > time;
    },
    lookAtHooks: hooks.look,
    pruneHooks: hooks.prune,
    async close() {
      ending.abort();
      hooks.close();
      stateFile?.close();
      record?.close();
      await tailing;
    },
  };
}

function factOf(what: string, { detail }: { detail?: string }): string {
  return detail === undefined ? what : `${what}: ${detail}`;
}

/** The hook as the screen completes it: when the limit ends, whether the program then goes on, and its words. */
function withLimit(hook: Signal, { until, after, detail }: ScreenReading): Signal {
  return { ...hook, until: hook.until ?? until, after, fact: detail ?? hook.fact, about: detail };
}

/** A failure that a hook reports is the end of a turn. */
function isInTurn(source: Source, state: AgentState | undefined): boolean {
  return (
    state === 'BUSY' || state === 'WAITING' || (source === 'hook' && state !== undefined && FAILURES.includes(state))
  );
}

/** True if another tool of the same answer reports while a question waits. */
function isBesideQuestion({ state, tool }: Reading, last: Signal | undefined): boolean {
  return last?.says === 'WAITING' && state === 'BUSY' && tool !== undefined && tool !== last.tool;
}
