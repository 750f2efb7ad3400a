import type { Sink } from '../events/subscription.ts';

/** Something that lasts as long as a connection, such as a subscription. */
export interface Held {
  readonly id: string;
  close(): void;
}

/** The client at the other end of a connection, as handlers see it. */
export interface Peer {
  readonly sink: Sink;
  /** The process that connected; 0 where it is gone or was not told in time, undefined where the system does not tell. */
  processId(): Promise<number | undefined>;
  /** Ties something to the connection; closes it at once when the connection is gone already. */
  hold(held: Held): void;
  /** Ends what was held under this id; false when this connection holds no such thing. */
  release(id: string): boolean;
}

/** One request or batch on its way through dispatch. */
export interface Call {
  readonly peer: Peer;
  /** Runs once the reply is written, so that what follows a reply never overtakes it. */
  afterReply(action: () => void): void;
}
