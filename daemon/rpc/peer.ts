import type { Sink } from '../events/subscription.ts';

/** A resource that lasts as long as a connection, such as a subscription. */
export interface Held {
  readonly id: string;
  close(): void;
}

/** The client at the other end of a connection, as handlers see it. */
export interface Peer {
  readonly sink: Sink;
  /** The pid of the client: 0 if it is gone or the answer came too late. Undefined if the system cannot tell. */
  processId(): Promise<number | undefined>;
  /** Keeps a resource until the connection closes. Closes it at once if the connection is gone. */
  hold(held: Held): void;
  /** Closes the resource with this id. Returns false if this connection has none. */
  release(id: string): boolean;
}

/** One request or batch. */
export interface Call {
  readonly peer: Peer;
  /** Runs after the reply is written, so that nothing overtakes the reply. */
  afterReply(action: () => void): void;
}
