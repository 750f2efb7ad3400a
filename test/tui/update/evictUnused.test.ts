import { expect, it } from 'vitest';
import { initialModel, type Model } from '../../../tui/model/model.ts';
import { query } from '../../../tui/model/query.ts';
import { evictUnused } from '../../../tui/update/evictUnused.ts';

const RUNS = query('run.list', { limit: 1000 });
const place = { screen: 'runs' as const };
const empty = initialModel({ size: { columns: 80, rows: 24 }, now: 0, version: '1', cwd: '/', place });
const transcript = { lines: [], count: 0, complete: true };

/** After a walk through so many runs. */
function walked(runs: number): Model {
  const ids = Array.from({ length: runs }, (_, nth) => `run${nth}`);
  return {
    ...empty,
    data: new Map([[RUNS.key, { value: [] }], ...ids.map((runId) => [query('run.get', { runId }).key, {}] as const)]),
    logs: new Map(ids.map((id) => [id, { events: [], count: 0 }])),
    transcripts: new Map([
      ['here', transcript],
      ['gone', transcript],
    ]),
  };
}

it('keeps what is on screen, and the newest of the rest', () => {
  const streams = [
    { type: 'events', runId: 'run0' } as const,
    { type: 'transcript', sessionId: 'here', runId: 'run0' } as const,
  ];
  const { data, logs, transcripts } = evictUnused(walked(500), [RUNS], streams);
  expect(data.size).toBe(201);
  expect(data.has(RUNS.key)).toBe(true);
  expect(data.has(query('run.get', { runId: 'run499' }).key)).toBe(true);
  expect([...logs.keys()]).toEqual(['run0', 'run496', 'run497', 'run498', 'run499']);
  expect([...transcripts.keys()]).toEqual(['here']);
});

it('returns the same model while there is little', () => {
  const few = { ...walked(3), transcripts: new Map() };
  expect(evictUnused(few, [RUNS], [])).toBe(few);
});
