import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliverFiles } from '../../../../daemon/engine/performers/deliverFiles.ts';
import type { PerformerPorts } from '../../../../daemon/engine/performers/performer.ts';
import { given } from '../../repository/merge/given.ts';
import { gitPorts } from '../local/support/performing.ts';

const ports = { ...gitPorts, sessions: { disposeRun: async () => {} } } as unknown as PerformerPorts;

test('CS-53 what an agent put in the way of a file is no deletion, and is named', async () => {
  const { repo, base, open, tip } = given({ 'progress.json': '1\n', '_docs/state.md': '1\n', 'a.md': '1\n' });
  const lane = { ...(await open('main')), startCommit: base };
  const at = (path: string) => join(lane.path, path);
  for (const path of ['progress.json', '_docs']) rmSync(at(path), { recursive: true });
  mkdirSync(at('progress.json'));
  writeFileSync(at('progress.json/theirs.md'), 'theirs\n');
  symlinkSync(repo.root, at('_docs'));
  const files = { 'progress.json': '2\n', '_docs/state.md': '2\n', 'a.md': '2\n' };
  const effect = { type: 'deliverFiles' as const, runId: 'run', key: 'k', lane, since: base, files, sessions: [] };
  const outcome = await deliverFiles(effect, ports, new AbortController().signal);
  expect(outcome).toEqual({
    type: 'filesDelivered',
    commit: tip('main'),
    onto: base,
    ignored: [],
    reason: expect.stringContaining('progress.json, _docs/state.md'),
  });
  expect(repo.git('diff', '--name-status', base, tip('main'))).toBe('M\ta.md');
});
