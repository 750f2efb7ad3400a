import type { Logger } from 'pino';
import { webhookHost } from '../../../schemas/config/webhookUrl.ts';
import type { NewsKind } from '../../../schemas/enums.ts';
import type { RunEventType } from '../../../schemas/events/index.ts';
import type { Run } from '../../core/run/state.ts';
import type { EventBus } from '../../events/bus.ts';
import type { WebhookNotices } from '../../store/webhookNotices.ts';
import { bodyOf, newsId } from './body.ts';
import type { deliver } from './deliver.ts';
import { heldNews, type News, newsOf } from './news.ts';
import { createSender, type SenderOptions } from './sender.ts';
import { headersOf } from './sign.ts';

/** All events after which a run may have something to tell. */
const TELLING = new Set<RunEventType>([
  'approval.requested',
  'approval.rule_checked',
  'run.stalled',
  'run.completed',
  'run.failed',
  'run.aborted',
  'message.doubted',
]);

/** News may be noted later than what came after it. */
const MARGIN_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface WebhookOptions extends Pick<SenderOptions, 'now' | 'after'> {
  settings: { url: string; secret?: string | undefined; kinds: readonly NewsKind[] };
  notices: WebhookNotices;
  bus: Pick<EventBus, 'listen'>;
  /** The runs that have not begun. */
  queuedRuns(): ReadonlyMap<string, { needsPerson: boolean }>;
  readRun(runId: string): Promise<Run | undefined>;
  deliver: typeof deliver;
  log: Pick<Logger, 'warn'>;
}

export interface Webhook {
  /** For news that belongs to no run. */
  tell(news: News): void;
  /** Tells what happened while no daemon ran. Call it once the open runs are in memory. */
  catchUp(openRuns: readonly Run[]): Promise<void>;
  status(): Promise<{ host: string; waiting: number; since: string | null; problem: string | null }>;
  close(): Promise<void>;
}

/** Notes all news in the database after the commit, and sends it from there: at least once, also after `kill -9`. */
export function createWebhook(options: WebhookOptions): Webhook {
  const { settings, notices, bus, readRun, now, after, log } = options;
  const { url, secret } = settings;
  const kinds = new Set(settings.kinds);
  /** The keys of each open run that are noted, so that a commit without anything new costs no statement. */
  const noted = new Map<string, Set<string>>();
  let noting: Promise<void> = Promise.resolve();
  const post: SenderOptions['post'] = ({ id, body }, signal) =>
    options.deliver({ url, body, signal, headers: headersOf({ id, body }, now(), secret) });
  const sender = createSender({ notices, post, now, after, log });

  async function note(news: readonly News[]): Promise<void> {
    const wanted = news.filter(({ kind }) => kinds.has(kind));
    if (wanted.length === 0) return;
    const at = now();
    const rows = wanted.map((each) => ({ id: newsId(each), at, kind: each.kind, body: bodyOf(each, at) }));
    const { added, dropped } = await notices.add(rows);
    if (dropped > 0) log.warn({ dropped }, 'the webhook has taken nothing for long; the oldest news is gone');
    if (added > 0) sender.poke();
  }

  const inTurn = (what: string, work: () => Promise<void>): Promise<void> => {
    noting = noting.then(work).catch((err: unknown) => log.warn({ err }, `could not note ${what} for the webhook`));
    return noting;
  };

  /** Notes what the run has to tell and what is not noted yet. A failure leaves it for the next time. */
  async function noteRun(run: Run, isMeant: (news: News) => boolean = () => true): Promise<void> {
    const known = noted.get(run.id) ?? new Set();
    const news = newsOf(run).filter(({ key }) => !known.has(key));
    await note(news.filter(isMeant));
    for (const { key } of news) known.add(key);
    if (run.endedAt === null) noted.set(run.id, known);
    else noted.delete(run.id);
  }

  async function noteQueue(): Promise<void> {
    for (const [runId, { needsPerson }] of options.queuedRuns()) {
      const run = needsPerson ? await readRun(runId) : undefined;
      if (run) await note([heldNews(run)]);
    }
  }

  const unlisten = bus.listen(null, ({ runId, events, hints }) => {
    if (hints.some(({ event }) => event === 'queue.changed')) void inTurn('the queue', noteQueue);
    if (runId === null || !events.some(({ type }) => TELLING.has(type))) return;
    void inTurn(`news of run ${runId}`, async () => {
      const run = await readRun(runId);
      if (run) await noteRun(run);
    });
  });

  async function noteMissed(openRuns: readonly Run[]): Promise<void> {
    const newest = await notices.readNewestAt();
    const isSince = (at: number) => (each: News) => each.since === null || Date.parse(each.since) >= at;
    const since = newest === undefined ? Number.NEGATIVE_INFINITY : newest.getTime() - MARGIN_MS;
    for (const run of openRuns) await noteRun(run, isSince(since));
    // A webhook that is new tells of no run that ended before.
    if (newest === undefined) return;
    const from = Math.max(since, now().getTime() - DAY_MS);
    for (const runId of await notices.listEndedSince(new Date(from))) {
      const run = await readRun(runId);
      if (run) await noteRun(run, isSince(from));
    }
  }

  return {
    tell: (news) => void inTurn('news', () => note([news])),
    catchUp: (openRuns) =>
      inTurn('what was missed', async () => {
        await noteMissed(openRuns);
        await noteQueue();
        sender.poke();
      }),
    async status() {
      const { waiting, since } = await notices.countWaiting();
      const problem = waiting === 0 ? null : sender.problem();
      return { host: webhookHost(url), waiting, since: since?.toISOString() ?? null, problem };
    },
    async close() {
      unlisten();
      await noting;
      await sender.close();
    },
  };
}
