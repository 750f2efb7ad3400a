import type { Client } from '../../cli/client/connect.ts';
import type { EarlyRequests } from '../../cli/client/earlyRequests.ts';
import { BUILD } from '../../schemas/files/release.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { TuiEvent } from '../model/event.ts';
import type { Model } from '../model/model.ts';
import { type Answer, type Query, STATUS } from '../model/query.ts';
import type { Stream } from '../model/screen.ts';
import { isStale } from '../model/stale.ts';
import { followEvents } from './eventStream.ts';
import { type Followed, followed } from './followed.ts';
import { createLink } from './link.ts';
import { createQueryRefresher } from './queryRefresher.ts';
import { followReview } from './reviewStream.ts';
import { followTranscript } from './transcriptStream.ts';

/** Sends the model what the daemon reports, and runs the queries of the current screen. */
export interface Feed {
  connect(): void;
  readonly client: Client | undefined;
  /** Follows exactly these queries and streams from now on. */
  follow(queries: readonly Query[], streams: readonly Stream[], model: Model): void;
  close(): void;
}

export function createFeed(options: {
  socketPath: string;
  version: string;
  /** Where drafts lie. */
  stateDir: string;
  early?: EarlyRequests;
  keeperNews?: Parameters<typeof createLink>[0]['keeperNews'];
  onEvent(event: TuiEvent): void;
}): Feed {
  const { socketPath, version, stateDir, early, keeperNews, onEvent } = options;
  const streams = new Map<string, Followed>();
  let client: Client | undefined;
  let answers: (readonly [string, Answer])[] = [];

  const refresher = createQueryRefresher((key, answer) => {
    if (answers.push([key, answer]) > 1) return;
    // Answers that arrive together are one event, and one paint.
    setImmediate(() => {
      const batch = answers;
      answers = [];
      onEvent({ type: 'data', answers: batch });
    });
  });

  const link = createLink({
    socketPath,
    version,
    build: BUILD,
    onLink: (state) => onEvent({ type: 'link', link: state }),
    early,
    keeperNews,
    onClient(next, status) {
      client = next;
      refresher.use(next, status && new Map([[STATUS.key, status]]));
      for (const stream of streams.values()) stream.use(next);
    },
    onNotification(notification: NotificationParams) {
      refresher.markStale((query) => isStale(query, notification));
      if (notification.event !== 'heartbeat') onEvent({ type: 'notification', notification });
    },
  });

  function open(stream: Stream, model: Model): Followed {
    if (stream.type === 'transcript') {
      return followTranscript(stream, (transcript) =>
        onEvent({ type: 'transcript', sessionId: stream.sessionId, transcript }),
      );
    }
    if (stream.type === 'review') {
      const { gate } = stream;
      return followReview(gate, stateDir, (review) => onEvent({ type: 'review', approvalId: gate.approvalId, review }));
    }
    if (stream.type === 'contracts') {
      return followed(
        () => ({ repo: stream.repo, kinds: ['contracts.changed'] }),
        (notification) => refresher.markStale((query) => isStale(query, notification)),
      );
    }
    const { runId } = stream;
    const log = model.logs.get(runId);
    const last = log?.events[log.count - 1];
    return followEvents(runId, last, (events, isOther) => onEvent({ type: 'events', runId, events, isOther }));
  }

  return {
    connect: link.connect,
    get client() {
      return client;
    },
    follow(queries, wanted, model) {
      refresher.want(queries);
      const byKey = new Map(wanted.map((stream) => [JSON.stringify(stream), stream]));
      for (const [key, stream] of streams) {
        if (byKey.has(key)) continue;
        stream.close();
        streams.delete(key);
      }
      for (const [key, stream] of byKey) {
        if (streams.has(key)) continue;
        const opened = open(stream, model);
        streams.set(key, opened);
        opened.use(client);
      }
    },
    close() {
      for (const stream of streams.values()) stream.close();
      link.close();
    },
  };
}
