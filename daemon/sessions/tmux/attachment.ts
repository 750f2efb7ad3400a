import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { readIdentity } from '../../../tmux/server/startServer.ts';
import { watchExchanged } from '../../sandbox/exchangedFiles.ts';
import { sandboxDirOf } from '../../sandbox/ownPlaces.ts';
import type { AgentExit, StartInput } from '../contract/adapter.ts';
import type { AgentOptions } from './agentOptions.ts';
import type { DeliveryPorts } from './deliver/deliveryPorts.ts';
import type { Waiting } from './deliver/deliveryStep.ts';
import type { Ledger } from './deliver/ledger.ts';
import { createPaneActs } from './deliver/paneActs.ts';
import { outputDirOf, paneDirOf } from './launchAgent.ts';
import { createRecordFinder } from './observe/findRecord.ts';
import type { HookEvents } from './observe/hookEvents.ts';
import { type Observer, observe } from './observe/observer.ts';
import { seemingEndOf, turnEndOf } from './observe/turnEnd.ts';
import { followSize } from './output/resizes.ts';
import { respawnCapture } from './output/respawnCapture.ts';
import type { Launches } from './process/launches.ts';
import { watchDeath } from './process/watchDeath.ts';
import type { AgentPane } from './server/panes.ts';
import { type HungWatch, watchHung } from './stall/watchHung.ts';
import { type StallPorts, type StallWatch, watchStall } from './stall/watchStall.ts';

export interface DeliveryWait {
  /** `since` is of the steady clock. */
  now?: { readonly for: Waiting; readonly since: number };
}

/** The parts of a session that outlive its programs. */
export interface SessionPorts {
  options: AgentOptions;
  input: StartInput;
  env: Readonly<Record<string, string>>;
  launches: Launches;
  ledger: Ledger;
  hookEvents: HookEvents;
  noticed: DeliveryPorts['noticed'];
  conversationHas: DeliveryPorts['conversationHas'];
  /** The condition that the current delivery waits for. */
  waiting: DeliveryWait;
  reported: StallPorts['reported'];
  reportStall: StallPorts['report'];
  onExit(exit: AgentExit): void;
}

/** One program in its pane, with everything that watches it. */
export interface Attachment {
  readonly pane: AgentPane;
  /** The longest time from its launch until it can take a prompt. */
  readonly startMs: number;
  readonly observer: Observer;
  readonly delivery: DeliveryPorts;
  readonly stall: StallWatch;
  readonly hung: HungWatch;
  /** Why the program ended, once it has. */
  readonly exit?: AgentExit;
  /** Stops watching; the program keeps running. */
  close(): Promise<void>;
}

export async function attachPane(pane: AgentPane, ports: SessionPorts): Promise<Attachment> {
  const { options, input, env, launches, ledger, hookEvents, noticed, waiting, reported } = ports;
  const { server, profile } = options;
  const { sessionDir } = input;
  const driver = await server.open();
  const { pid: serverPid } = driver.state.up ? driver.state.identity : await readIdentity(driver);
  const outputDir = outputDirOf(sessionDir);
  // Also for an adopted pane: the daemon that started it may have died before this. If the pane is gone, its death is
  // reported.
  await followSize(driver, pane.pane, outputDir).catch(() => {});
  const conversationId = () => launches.now().conversationId;
  const findRecord = createRecordFinder(() => {
    const id = conversationId();
    return id === undefined ? undefined : profile.recordOf?.(env, id);
  }, ledger.lastTakenAt);
  const startMs = profile.timings[launches.now().isResumed ? 'resumeMs' : 'startMs'];
  const observer = await observe({
    profile,
    startMs,
    runner: driver,
    pane: pane.pane,
    sessionDir,
    outputDir,
    env,
    leader: pane.pid,
    launchedAt: launches.now().launchedAt ?? steadyNow(),
    errorRetryMs: options.errorRetryMs,
    conversationId,
    recordPath: () => launches.now().transcriptPath ?? findRecord(),
    onHook: hookEvents.take,
  });
  const delivery: DeliveryPorts = {
    pid: pane.pid,
    launch: pane.launch,
    profile,
    observer,
    ledger,
    noticed,
    acts: createPaneActs(driver, pane.pane, sessionDir),
    hooked: hookEvents.showed,
    conversationHas: ports.conversationHas,
    hung: () => hung.found(),
    onWait(next) {
      const before = waiting.now;
      const since = next?.for === before?.for.for ? (before?.since ?? steadyNow()) : steadyNow();
      waiting.now = next && { for: next, since };
      if (next?.draft !== before?.for.draft) stall.look();
    },
    at: (point) => options.at?.(point),
  };
  const hung = watchHung({
    maxHungMs: options.maxHungMs,
    pid: pane.pid,
    observer,
    onChange: observer.changes.notify,
  });
  const waitsForDraft = () => waiting.now?.for.draft === true;
  const stall = watchStall({
    observer,
    hung,
    waitsForDraft,
    isLed: input.isLed,
    logIn: profile.logIn,
    lastTakenAt: ledger.lastTakenAt,
    lastTypedAt: ledger.lastTypedAt,
    endOf: (status, since) =>
      turnEndOf(status, profile, since) === undefined ? seemingEndOf(status, profile, since) : status.since,
    reported,
    report: ports.reportStall,
  });
  let ended: AgentExit | undefined;
  const stopDeath = watchDeath(
    { driver, server, pane, serverPid, directory: paneDirOf(sessionDir, pane.launch) },
    (exit) => {
      ended = exit;
      observer.lookAtHooks();
      observer.noteDeath(exit.reason);
      ports.onExit(exit);
    },
  );
  const stopExchange = await watchExchanged(sandboxDirOf(sessionDir));
  const stopSink = respawnCapture(pane.pane, { driver, server, outputDir });
  return {
    pane,
    startMs,
    observer,
    delivery,
    stall,
    hung,
    get exit() {
      return ended;
    },
    async close() {
      stopDeath();
      stopSink();
      stopExchange();
      stall.close();
      hung.close();
      await observer.close();
    },
  };
}
