import { describe, expect, it } from 'vitest';
import { DevflowError } from '../../../schemas/errors.ts';
import { createQueryRefresher } from '../../../tui/data/queryRefresher.ts';
import { toApiError } from '../../../tui/model/apiError.ts';
import { type Answer, query } from '../../../tui/model/query.ts';
import { handTimers } from '../../helpers/handTimers.ts';
import { fakeClient } from '../given.ts';

const RUNS = query('run.list', { limit: 10 });
const STATUS = query('daemon.status', {});

/** Requests stay open until the test answers them. */
function givenReads() {
  const news: [string, Answer][] = [];
  const open: { method: string; succeed(value: unknown): void; fail(error: unknown): void }[] = [];
  const answer = (method: string) =>
    new Promise((succeed, fail) => {
      open.push({ method, succeed, fail });
    });
  const client = () => fakeClient(answer);
  const time = handTimers();
  const reads = createQueryRefresher((key, entry) => void news.push([key, entry]), time);
  const settle = () => time.advance(0);
  return { news, open, client, reads, settle, time };
}

describe('a query on screen', () => {
  it('is read once, however often it is listed', async () => {
    const { reads, open, client, news, settle } = givenReads();
    reads.use(client());
    reads.want([RUNS, STATUS]);
    reads.want([RUNS, STATUS]);
    expect(open.map(({ method }) => method)).toEqual(['run.list', 'daemon.status']);
    open[0]?.succeed(['r']);
    await settle();
    expect(news).toEqual([[RUNS.key, { value: ['r'] }]]);
  });

  it('is not read if its answer is known from this connection', async () => {
    const { reads, open, client, news } = givenReads();
    reads.want([RUNS, STATUS]);
    reads.use(client(), new Map([[STATUS.key, 'status']]));
    expect(open.map(({ method }) => method)).toEqual(['run.list']);
    expect(news).toEqual([[STATUS.key, { value: 'status' }]]);
    reads.markStale(({ key }) => key === STATUS.key);
    expect(open.map(({ method }) => method)).toEqual(['run.list', 'daemon.status']);
  });

  it('is read as soon as there is a connection', () => {
    const { reads, open, client } = givenReads();
    reads.want([RUNS]);
    expect(open).toEqual([]);
    reads.use(client());
    expect(open).toHaveLength(1);
  });

  it('is read less often the longer a read takes', async () => {
    const { reads, open, client, settle, time } = givenReads();
    reads.use(client());
    reads.want([RUNS]);
    await time.advance(300);
    open[0]?.succeed([]);
    await settle();
    reads.markStale(() => true);
    await time.advance(1_100);
    expect(open).toHaveLength(1);
    await time.advance(100);
    expect(open).toHaveLength(2);
  });

  it('is read once more if it went stale meanwhile, however often', async () => {
    const { reads, open, client, settle, time } = givenReads();
    reads.use(client());
    reads.want([RUNS]);
    for (let nth = 0; nth < 1_000; nth += 1) reads.markStale(() => true);
    expect(open).toHaveLength(1);
    open[0]?.succeed([]);
    await settle();
    await time.advance(200);
    expect(open).toHaveLength(2);
    open[1]?.succeed([]);
    await time.advance(1_000);
    expect(open).toHaveLength(2);
  });

  it('is not read more than ten times a second', async () => {
    const { reads, open, client, time } = givenReads();
    reads.use(client());
    reads.want([RUNS]);
    for (let ms = 0; ms < 1_000; ms += 10) {
      open.at(-1)?.succeed([]);
      reads.markStale(() => true);
      await time.advance(10);
    }
    expect(open.length).toBeGreaterThan(5);
    expect(open.length).toBeLessThanOrEqual(11);
  });

  it('is not read any more once it is off screen', async () => {
    const { reads, open, client, settle, time } = givenReads();
    reads.use(client());
    reads.want([RUNS]);
    open[0]?.succeed([]);
    await settle();
    reads.markStale(() => true);
    reads.want([]);
    await time.advance(1_000);
    expect(open).toHaveLength(1);
  });

  it('reports its error', async () => {
    const { reads, open, client, news, settle } = givenReads();
    reads.use(client());
    reads.want([RUNS]);
    open[0]?.fail(new DevflowError('not_found', 'there is none', { recoveryHint: 'Look.' }));
    await settle();
    expect(news).toEqual([[RUNS.key, { error: { code: 'not_found', message: 'There is none.', hint: 'Look.' } }]]);
    expect(toApiError('odd')).toEqual({ code: 'internal', message: 'odd' });
  });

  it('is read again over a new connection, and ignores answers of the old one', async () => {
    const { reads, open, client, news, settle, time } = givenReads();
    reads.use(client());
    reads.want([RUNS]);
    reads.use(undefined);
    reads.use(client());
    open[0]?.fail(new Error('gone'));
    await settle();
    await time.advance(200);
    expect(open).toHaveLength(2);
    open[1]?.succeed(['new']);
    await settle();
    expect(news).toEqual([[RUNS.key, { value: ['new'] }]]);
  });
});
