import type { EventView } from '../../../schemas/rpc/views/run.ts';
import type { Client } from '../../client/connect.ts';
import { connectDaemon, withDaemon } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { INTERRUPTED, onInterrupt } from '../../io/interrupt.ts';
import type { Io } from '../../io/io.ts';
import { paint, printJsonLine } from '../../print/output.ts';
import { localTime, stallText, visible } from '../../print/text.ts';
import { followRun } from '../../run/followRun.ts';

const PAGE = 500;

export const action: Run['events'] = async ({ runId, afterSeq = 0 }, { json, follow }, io) => {
  const print = (event: EventView) => (json ? printJsonLine(io, event) : io.out(eventLine(io, event)));
  if (follow) return followToEnd(io, runId, afterSeq, print);
  await withDaemon(io, (client) => readAll(client, runId, afterSeq, print));
  return 0;
};

async function readAll(client: Client, runId: string, afterSeq: number, print: (event: EventView) => void) {
  for (let last = afterSeq; ; ) {
    const page = await client.call('run.events', { runId, afterSeq: last, limit: PAGE });
    for (const event of page) print(event);
    if (page.length < PAGE) return;
    last = page.at(-1)?.seq ?? last;
  }
}

/** Prints each event once, until the run ends, across restarts of the daemon. */
async function followToEnd(io: Io, ref: string, afterSeq: number, print: (event: EventView) => void): Promise<number> {
  const { signal, release } = onInterrupt();
  const done = new AbortController();
  signal.addEventListener('abort', () => done.abort());
  const { runId, lastSeq, state } = await withDaemon(io, (client) => client.call('run.get', { runId: ref }));
  const ends = /^run\.(completed|failed|aborted)$/;
  let over = ['completed', 'failed', 'aborted'].includes(state);
  const onEvent = (event: EventView) => {
    if (done.signal.aborted) return;
    print(event);
    over ||= ends.test(event.type);
    if (over && event.seq >= lastSeq) done.abort();
  };
  if (!(over && afterSeq >= lastSeq)) {
    const onRestored = () => io.err(RESTORED);
    await followRun({ connect: () => connectDaemon(io), runId, afterSeq, onEvent, onRestored, signal: done.signal });
  }
  release();
  return signal.aborted ? INTERRUPTED : 0;
}

const RESTORED =
  'devflow: the database went back to an earlier state, so the log of this run follows from its first event.\n';

function eventLine(io: Io, { seq, ts, type, payload }: EventView): string {
  const facts =
    type === 'run.stalled'
      ? stallFacts(payload)
      : Object.entries(payload).flatMap(([name, value]) => brief(name, value));
  return `${String(seq).padStart(5)}  ${localTime(ts)}  ${type.padEnd(22)}  ${paint(io, 'dim', visible(facts.join(' ')))}`
    .trimEnd()
    .concat('\n');
}

function stallFacts({ sessionId, stall }: EventView['payload']): string[] {
  const text = stallText(stall as Parameters<typeof stallText>[0]);
  return [...brief('sessionId', sessionId), text === null ? 'continues' : `blocked: ${text}`];
}

/** Texts that are shown at any length. */
const WORDS = ['reason', 'comment'];

/** Short facts only. Templates, requirements and other long values are for `--json`. */
function brief(name: string, value: unknown): string[] {
  if (value === null || typeof value === 'object' || /(hash|key|path|token)$/i.test(name)) return [];
  const text = String(value);
  return text.length > 60 && !WORDS.includes(name)
    ? []
    : [`${name}=${/^[0-9a-f-]{36}$/.test(text) ? text.slice(0, 8) : text}`];
}
