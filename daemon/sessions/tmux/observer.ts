import { join } from 'node:path';
import { capturePane } from '../../../tmux/capture.ts';
import type { PaneId } from '../../../tmux/ids.ts';
import { readPane } from '../../../tmux/panes.ts';
import type { Runner } from '../../../tmux/tmux.ts';
import { type Changes, createChanges } from './changes.ts';
import { type AgentState, judgeEvidence, type Signal, type Source, type Verdict } from './evidence.ts';
import { watchHooks } from './hookFiles.ts';
import { HOOK_DIRECTORY } from './hookScript.ts';
import { outputEnd } from './outputFiles.ts';
import { createOutputReader, readBracketedPaste } from './outputSignals.ts';
import { tailOutput } from './outputTail.ts';
import type { HookEvent, Profile, ScreenReading } from './profile.ts';
import { watchStateFile } from './stateFiles.ts';

export interface ObserverInput {
  profile: Profile;
  runner: Runner;
  pane: PaneId;
  sessionDir: string;
  outputDir: string;
  env: Readonly<Record<string, string>>;
  launchedAt: number;
  conversationId(): string | undefined;
  /** Each hook once, before anybody is told of the change. */
  onHook(event: HookEvent): void;
}

/** Everything that is seen of one agent, gathered as it comes. */
export interface Observer {
  readonly changes: Changes;
  verdict(): Verdict;
  /** When the pane last printed something, by this process's clock; undefined when it has not since. */
  lastOutputAt(): number | undefined;
  bracketedPaste(): boolean;
  /** Since when it counts as able to take a prompt; undefined before. */
  firstReadyAt(): number | undefined;
  /** Looks at the screen now. */
  readScreen(): Promise<ScreenReading>;
  noteDeath(fact: string): void;
  /** Takes in hooks of which the notification is still under way. */
  lookAtHooks(): void;
  /** The hooks seen so far are known for good. */
  pruneHooks(): void;
  close(): Promise<void>;
}

export async function observe(input: ObserverInput): Promise<Observer> {
  const { profile, runner, pane } = input;
  const changes = createChanges();
  const signals = new Map<Source, Signal>();
  const ending = new AbortController();
  let lastOutputAt: number | undefined;
  let firstReadyAt: number | undefined;
  let screenReadAt = 0;

  /** `at` stays that of the first time a source said so. */
  function note(source: Source, says: AgentState | undefined, fact: string, at = Date.now(), until?: number): void {
    const before = signals.get(source);
    const isSame = before?.says === says && source !== 'hook';
    signals.set(source, { source, says, fact, until, at: isSame && before ? before.at : at });
  }

  function verdict(): Verdict {
    lookAtStateFile();
    const now = Date.now();
    const starting = !signals.has('process') && now - input.launchedAt < profile.waits.startMs;
    const alive: Signal = {
      source: 'process',
      at: input.launchedAt,
      fact: 'alive',
      ...(starting ? { says: 'STARTING' as const } : {}),
    };
    // What was printed since may have changed all of it.
    const isStale = lastOutputAt !== undefined && lastOutputAt > screenReadAt;
    const all = [...signals.values()].filter(({ source }) => source !== 'screen' || !isStale);
    const found = judgeEvidence(signals.has('process') ? all : [alive, ...all], now);
    if (found.state === 'READY') firstReadyAt ??= now;
    return found;
  }

  function onHook(event: HookEvent): void {
    input.onHook(event);
    const reading = profile.readHook(event);
    if (reading) note('hook', reading.state, [event.name, reading.detail].filter(Boolean).join(': '), event.at);
    changes.tell();
  }

  const file = profile.stateFile;
  const stateFile = file && watchStateFile(file.directory(input.env), readState, changes.tell);
  function readState(data: unknown) {
    const id = input.conversationId();
    return id === undefined ? undefined : file?.read(data, id);
  }
  function lookAtStateFile(): void {
    const reading = stateFile?.look();
    if (!reading) signals.delete('state file');
    else note('state file', reading.state, [reading.state, reading.detail].filter(Boolean).join(': '), reading.at);
  }

  const hooks = watchHooks(join(input.sessionDir, HOOK_DIRECTORY), onHook);
  const fromOffset = outputEnd(input.outputDir);
  const output = createOutputReader(readBracketedPaste(input.outputDir));
  let { bracketedPaste } = output.push(Buffer.alloc(0));
  // Where the directory was removed there is nothing more to be told from it.
  const tailing = follow().catch(() => {});
  const shown = await readPane(runner, pane);
  if (shown) noteTitle(shown.title);
  hooks.look();
  await readScreen().catch(() => {});

  function noteTitle(title: string): void {
    note('title', profile.readTitle(title), title);
  }

  async function follow(): Promise<void> {
    for await (const { bytes, mark } of tailOutput({ directory: input.outputDir, fromOffset, signal: ending.signal })) {
      if (mark) continue;
      const said = output.push(bytes);
      bracketedPaste = said.bracketedPaste;
      if (said.title !== undefined) noteTitle(said.title);
      lastOutputAt = Date.now();
      changes.tell();
    }
  }

  async function readScreen(): Promise<ScreenReading> {
    const askedAt = Date.now();
    const reading = profile.readScreen({ lines: await capturePane(runner, pane, { escapes: true }) });
    screenReadAt = askedAt;
    const isAsking = reading.composer === undefined && reading.dialog !== undefined;
    if (isAsking) note('dialog', 'DIALOG', reading.dialog ?? '');
    else signals.delete('dialog');
    note('screen', reading.state, [reading.state ?? 'nothing to be told', reading.detail].filter(Boolean).join(': '));
    const hook = signals.get('hook');
    if (hook?.says === 'QUOTA' && reading.until !== undefined) {
      signals.set('hook', { ...hook, until: reading.until, fact: reading.detail ?? hook.fact });
    }
    return reading;
  }

  return {
    changes,
    verdict,
    lastOutputAt: () => lastOutputAt,
    bracketedPaste: () => bracketedPaste,
    firstReadyAt: () => firstReadyAt,
    readScreen,
    noteDeath(fact) {
      note('process', 'DEAD', fact);
      changes.tell();
    },
    lookAtHooks: hooks.look,
    pruneHooks: hooks.prune,
    async close() {
      ending.abort();
      hooks.close();
      stateFile?.close();
      await tailing;
    },
  };
}
