import type { Client, ClientSubscription } from '../../cli/client/connect.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';

/** A subscription that is opened again over each new connection. */
export interface Followed {
  use(client: Client | undefined): void;
  close(): void;
}

/** `params` is asked for each connection, so that a stream can resume where it was. */
export function followed(
  params: () => RpcParams<'events.subscribe'>,
  onNotification: (notification: NotificationParams) => void,
): Followed {
  let subscription: ClientSubscription | undefined;
  let current: Client | undefined;
  return {
    use(client) {
      current = client;
      if (!client) return;
      client
        .subscribe(params(), (notification) => {
          if (client === current) onNotification(notification);
        })
        .then((opened) => {
          if (client === current) subscription = opened;
          else void opened.close().catch(() => {});
        })
        // The link reports a lost connection and opens another.
        .catch(() => {});
    },
    close() {
      current = undefined;
      void subscription?.close().catch(() => {});
    },
  };
}
