import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PerformerPorts } from '../../../../../daemon/engine/performers/performer.ts';
import { discoverStep } from '../../../../../daemon/kinds/step/performers/discoverStep.ts';
import type { StepEffect } from '../../../../../daemon/kinds/step/performers/step.ts';
import { type ScratchRepo, scratchRepo } from '../../../../helpers/repo.ts';

let repo: ScratchRepo;
const path = process.env.PATH;
beforeEach(() => {
  repo = scratchRepo();
});
afterEach(() => {
  process.env.PATH = path;
  repo.cleanup();
});

/** A system that makes namespaces only so many times. */
function givenUnshare(times: number): void {
  const bin = join(repo.root, 'bin');
  const log = join(bin, 'calls');
  mkdirSync(bin);
  const script = `#!/bin/sh\necho call >>${log}\n[ "$(wc -l <${log})" -le ${times} ]\n`;
  writeFileSync(join(bin, 'unshare'), script, { mode: 0o755 });
  process.env.PATH = `${bin}:${path}`;
}

test.skipIf(process.platform !== 'linux')('runs nothing with fewer limits than a person approved', async () => {
  const marker = join(repo.root, 'ran');
  const baseCommit = repo.commit({ Makefile: `test:\n\ttouch ${marker}\n` });
  const dir = join(repo.root, 'step');
  const effect = { lane: { repoPath: repo.dir }, baseCommit, dir } as StepEffect;
  const ports = { lintKnowledge: () => ({}) } as unknown as PerformerPorts;
  const { signal } = new AbortController();
  // One for each time that the list is made.
  givenUnshare(2);
  const asked = await discoverStep(effect, ports, signal);
  const plan = 'ask' in asked ? asked.ask : undefined;
  expect(plan?.limits[0]).toBe('no network');
  const probes = { plan: plan?.plan ?? '', run: true };
  expect(await discoverStep({ ...effect, probes }, ports, signal)).toMatchObject({ ok: true });
  expect(existsSync(marker)).toBe(false);
});
