import type { Model } from './model.ts';
import { answerOf, STATUS } from './query.ts';

/** The Temporal server, if the daemon is there and the server does not answer it. */
export function awayServer({ link, data }: Model): { address: string; since: string; reason: string } | undefined {
  const server = link.state === 'up' ? answerOf(data, STATUS)?.temporal : undefined;
  return server?.away ? { address: server.address, ...server.away } : undefined;
}
