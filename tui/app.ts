import type { EarlyRequests } from '../cli/client/earlyRequests.ts';
import { keeperNews } from '../schemas/keeper/record.ts';
import { keeperSentence } from '../schemas/keeper/words.ts';
import { visible } from '../schemas/text/visible.ts';
import { createFeed } from './data/feed.ts';
import { type CommandContext, runCommand } from './effects/runCommand.ts';
import type { TuiEvent } from './model/event.ts';
import { initialModel, type Model, type Place, type ScreenId, type Size } from './model/model.ts';
import { type Query, STATUS } from './model/query.ts';
import { oldFrame } from './oldFrame.ts';
import { screenOf } from './screens/index.ts';
import { openTerminal } from './terminal/blessed.ts';
import type { BackgroundSetting } from './terminal/capabilities.ts';
import type { Capabilities } from './terminal/painter.ts';
import { evictUnused } from './update/evictUnused.ts';
import { update, wakeAt } from './update/update.ts';
import { view } from './view.ts';

/** Data is painted at most this often; a key is painted at once. */
const FRAME_MS = 33;
/** The first paint waits this long for the data of its screen, so the screen appears complete. */
const FIRST_FRAME_MS = 100;
/** An old frame stays longer: it says more than an empty list. */
const OLD_FRAME_MS = 2_000;
/** Timers may fire a little early, so they are set a little late. */
const TIMER_SLACK_MS = 5;
/** A changed clock, or a machine that slept, is noticed after this time. */
const MAX_SLEEP_MS = 3_600_000;

export interface AppOptions {
  socketPath: string;
  /** The file of the daemon's keeper. */
  keeperFile: string;
  version: string;
  /** Where the client keeps drafts. */
  stateDir: string;
  cwd: string;
  looks: Capabilities;
  tint: BackgroundSetting;
  place: Place;
  /** Requests sent to the daemon while this program loaded. */
  early?: EarlyRequests;
  /** The launcher shows an old frame, which stays until there is data. */
  hasOldFrame?: boolean;
  /** Keeps what the next popup shows first. */
  keepOldFrame?(screen: ScreenId, size: Size, painting: string): void;
}

function newsOf(keeperFile: string): { sentence: string; waits: boolean } | undefined {
  const record = keeperNews(keeperFile);
  return record && { sentence: keeperSentence(record), waits: record.state === 'waiting' };
}

/** The loop: an event, the next model, its commands, and a paint. Resolves when the person closes the dashboard. */
export function runApp(options: AppOptions): Promise<void> {
  return new Promise((resolve) => {
    const { socketPath, keeperFile, version, stateDir, cwd, place, early, hasOldFrame, keepOldFrame } = options;
    let frame: NodeJS.Timeout | undefined;
    let paintedAt = Number.NEGATIVE_INFINITY;
    let clock: NodeJS.Timeout | undefined;
    let ended = false;

    const terminal = openTerminal(
      {
        onKey: (key) => send({ type: 'key', key }, true),
        onPaste: (text) => send({ type: 'paste', text }, true),
        onMouse: (action, row, column) => send({ type: 'mouse', action, row, column }, true),
        onResize: (size) => send({ type: 'resize', size }, true),
      },
      options.looks,
      options.tint,
      hasOldFrame,
    );
    let model: Model = initialModel({ size: terminal.size(), now: Date.now(), version, cwd, place });
    /** The queries that the first paint waits for; undefined after it. */
    let awaited: readonly Query[] | undefined = [STATUS, ...screenOf(model).queries(model)];
    const feed = createFeed({
      socketPath,
      version,
      stateDir,
      early,
      keeperNews: () => newsOf(keeperFile),
      onEvent: (event) => send(event, false),
    });
    const context: CommandContext = {
      get client() {
        return feed.client;
      },
      terminal,
      cwd,
      stateDir,
      unanswered: new Map(),
      send: (event) => send(event, true),
      connect: feed.connect,
      quit,
    };

    function send(event: TuiEvent, isUrgent: boolean): void {
      if (ended) return;
      const before = model;
      const next = update(model, event, Date.now());
      model = next.model;
      // First the paint, which a person waits for, then the requests.
      if (isUrgent || isFirstReady()) paint();
      else paintSoon();
      if (before.place.screen !== model.place.screen) keepFrame(before);
      follow();
      for (const command of next.commands) void runCommand(command, context);
    }

    /** At once if the last paint is old enough: data that comes alone is never late. */
    function paintSoon(): void {
      if (frame) return;
      const wait = paintedAt + FRAME_MS - performance.now();
      if (wait <= 0) paint();
      else frame = setTimeout(paint, wait);
    }

    function isFirstReady(): boolean {
      if (!awaited) return false;
      const { link, data } = model;
      return (link.state !== 'connecting' && link.state !== 'up') || awaited.every(({ key }) => data.has(key));
    }

    /** Asks the daemon for what the screen shows, and drops what it does not. */
    function follow(): void {
      const screen = screenOf(model);
      const queries = [STATUS, ...screen.queries(model)];
      const streams = screen.streams?.(model) ?? [];
      feed.follow(queries, streams, model);
      model = evictUnused(model, queries, streams);
    }

    function keepFrame(of: Model): void {
      const lines = keepOldFrame && oldFrame(of);
      if (lines) keepOldFrame(of.place.screen, of.size, terminal.paintingOf(lines));
    }

    function paint(): void {
      clearTimeout(frame);
      frame = undefined;
      awaited = undefined;
      if (ended) return;
      terminal.paint(view(model));
      paintedAt = performance.now();
      scheduleTick();
    }

    /** Wakes when passing time changes the screen. An idle dashboard sleeps. */
    function scheduleTick(): void {
      clearTimeout(clock);
      const at = wakeAt(model);
      if (at === undefined) return;
      const wait = Math.max(0, at - Date.now()) + TIMER_SLACK_MS;
      clock = setTimeout(() => send({ type: 'tick' }, true), Math.min(wait, MAX_SLEEP_MS));
    }

    function quit(): void {
      if (ended) return;
      ended = true;
      clearTimeout(frame);
      clearTimeout(clock);
      keepFrame(model);
      feed.close();
      terminal.close();
      resolve();
    }

    // Restore the terminal, however the process ends.
    process.once('exit', () => terminal.close());
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, quit);
    // Ctrl-C in a lent terminal is meant for the other program, but reaches this one too.
    process.on('SIGINT', () => terminal.isLent() || quit());
    process.once('uncaughtException', (error) => {
      terminal.close();
      process.stderr.write(`${visible(error.stack ?? String(error), 'text')}\n`);
      process.exit(1);
    });
    frame = setTimeout(paint, hasOldFrame ? OLD_FRAME_MS : FIRST_FRAME_MS);
    follow();
    feed.connect();
  });
}
