import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startDaemon } from '../../helpers/daemon.ts';
import { drive } from '../../helpers/drive.ts';
import { startFactory, templatesOf } from '../factoryRuns.ts';
import { payloads, proveEnd } from '../support.ts';
import { killAtPoints } from './killing.ts';

test('killed around every step, the run discovers, rehearses and promotes what it would have without a kill', async () => {
  const own = await startDaemon();
  const runId = await startFactory(own, 'A template for small changes.');
  const killing = await killAtPoints(own, ['performStep.done', 'performStep.stored']);
  await drive(own, runId, { patienceMs: 200_000 });
  const { deaths, unvisited } = await killing.stop();
  expect(unvisited).toEqual([]);
  expect(deaths).toBeGreaterThanOrEqual(6);
  const { events } = await proveEnd(own, runId, 'completed');
  const written = payloads(events, 'artifact.validated').map(({ schema }) => schema);
  expect(written.filter((schema) => String(schema).startsWith('tpl/'))).toEqual([
    'tpl/repo-facts@2',
    'tpl/intent@1',
    'tpl/draft@1',
    'tpl/rehearsal@1',
    'tpl/promotion@1',
  ]);
  expect(readdirSync(templatesOf(own)).sort()).toEqual(['checked-change@1.provenance.json', 'checked-change@1.yaml']);
});
