import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { followEvents } from '../../../tui/data/eventStream.ts';
import { type FakeClient, fakeClient, givenEvent } from '../given.ts';

const tell = (client: FakeClient, ...seqs: number[]) => {
  for (const seq of seqs) client.subscriptions[0]?.tell({ event: 'run.event_appended', data: givenEvent(seq) });
};

describe('the events of a run', () => {
  it('arrive once and in order over two connections', async () => {
    const batches: number[][] = [];
    const stream = followEvents('r1', undefined, (events) => void batches.push(events.map(({ seq }) => seq)));
    const first = fakeClient();
    stream.use(first);
    tell(first, 1, 2, 3);
    await turn();
    tell(first, 4);
    stream.use(undefined);
    const second = fakeClient();
    stream.use(second);
    // The old one was slow to end, the new one begins before where we are.
    tell(first, 5);
    tell(second, 3, 4, 5, 6);
    await turn();
    expect(second.subscriptions[0]?.params).toMatchObject({ runId: 'r1', afterSeq: 4, afterTs: givenEvent(4).ts });
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('all come again once a backup was restored', async () => {
    const batches: unknown[] = [];
    const stream = followEvents('r1', undefined, (events, isOther) =>
      batches.push([...events.map(({ seq }) => seq), isOther]),
    );
    const first = fakeClient();
    stream.use(first);
    tell(first, 1, 2, 3);
    await turn();
    stream.use(undefined);
    const second = fakeClient();
    stream.use(second);
    tell(second, 1, 2, 3, 4);
    await turn();
    expect(batches).toEqual([
      [1, 2, 3, false],
      [1, 2, 3, 4, true],
    ]);
  });

  it('arrive as one batch, however many come in a turn', async () => {
    const batches: number[] = [];
    const stream = followEvents('r1', undefined, (events) => void batches.push(events.length));
    const client = fakeClient();
    stream.use(client);
    for (let seq = 1; seq <= 1_000; seq += 1) tell(client, seq);
    await turn();
    expect(batches).toEqual([1_000]);
  });

  it('stop once it is closed', async () => {
    const batches: unknown[] = [];
    const stream = followEvents('r1', undefined, (events) => void batches.push(events));
    const client = fakeClient();
    stream.use(client);
    stream.close();
    tell(client, 1);
    await turn();
    expect(batches).toEqual([]);
  });
});
