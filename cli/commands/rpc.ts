import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import { usage } from '../input/parse.ts';
import { parseJson, readJson } from '../input/readInput.ts';
import { untilInterrupted } from '../io/interrupt.ts';
import type { Io } from '../io/io.ts';
import { printJson, printJsonLine } from '../print/output.ts';

/** Calls any method. `events.subscribe` prints notifications, one object a line, until Ctrl-C. */
export async function action(_params: object, { method, params: text }: { method: string; params?: string }, io: Io) {
  const params = text === '-' ? await readJson(io, '-', 'the parameters') : parseJson(text ?? '{}', 'the parameters');
  if (typeof params !== 'object' || params === null) throw usage('the parameters are neither an object nor an array');
  return withDaemon(io, async (client) => {
    if (method === 'events.subscribe' && !Array.isArray(params)) {
      const print = (notification: NotificationParams) => printJsonLine(io, notification);
      await client.subscribe(params, print);
      await untilInterrupted(client.closed);
      return 0;
    }
    printJson(io, await client.request(method, params));
    return 0;
  });
}
