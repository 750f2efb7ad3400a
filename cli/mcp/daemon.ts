import type { Client } from '../client/connect.ts';
import { isAway } from '../run/followRun.ts';

export interface McpDaemon {
  /** Calls a method. A daemon that restarted meanwhile gets the call again, once. */
  request(method: string, params: unknown): Promise<unknown>;
  close(): void;
}

/** One connection, opened at the first call and again after it is lost. */
export function createMcpDaemon(connect: () => Promise<Client>): McpDaemon {
  let connection: Promise<Client> | undefined;

  function connected(): Promise<Client> {
    if (connection) return connection;
    const opening = connect();
    connection = opening;
    const forget = () => {
      if (connection === opening) connection = undefined;
    };
    opening.then((client) => client.closed.then(forget), forget);
    return opening;
  }

  return {
    async request(method, params) {
      const before = await connected();
      try {
        return await before.request(method, params);
      } catch (error) {
        if (!isAway(error)) throw error;
        before.close();
        await before.closed;
        return (await connected()).request(method, params);
      }
    },
    close() {
      connection?.then((client) => client.close()).catch(() => {});
    },
  };
}
