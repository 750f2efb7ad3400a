import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import { awaitArtifact } from '../../../../daemon/engine/performers/awaitArtifact.ts';
import type { PerformerPorts } from '../../../../daemon/engine/performers/performer.ts';
import type { Turn } from '../../../../daemon/sessions/contract/adapter.ts';
import type { SessionManager } from '../../../../daemon/sessions/manager.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { bound, given, sent, started } from '../../core/support/given.ts';

const ARTIFACTS = join(packageRoot(), 'schemas', 'artifacts');
const registry = createRegistry({ builtinDir: ARTIFACTS });
const fixture = (schema: string, name: string) => join(ARTIFACTS, 'fixtures', schema, `${name}.json`);

/** The performer at work on an artifact whose writer has just ended, as far as is known. */
function awaiting(artifactDebounceMs: number) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-await-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const due = decide(given({}, bound, started, sent).run).find(({ type }) => type === 'awaitArtifact');
  const effect = due as EffectOf<'awaitArtifact'>;
  const path = join(root, 'artifacts', 'a.json');
  const session = { ...effect.session, cwd: root };
  const listeners = new Set<() => void>();
  let asked = 0;
  const turn: Turn = {
    async endedAt() {
      asked += 1;
      // A rename changes the ctime alone.
      const { mtimeMs, ctimeMs } = statSync(path);
      return Math.max(mtimeMs, ctimeMs);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const sessions = { ensure: async () => ({}), turnOf: () => turn } as unknown as SessionManager;
  const config = { recovery: { artifactDebounceMs } };
  const ports = { sessions, config, registry, clock: systemClock, faults: noFaults } as unknown as PerformerPorts;
  const mine = { ...effect, session, path, storedPath: join(root, 'stored', 'a.json'), timeoutMs: null };
  const outcome = awaitArtifact(mine, ports, new AbortController().signal);
  return { path, outcome, schema: effect.schema, asked: () => asked };
}

test('takes a valid artifact once the turn is over, before it has rested', async () => {
  const { path, outcome, schema } = awaiting(10 * 60_000);
  await expect.poll(() => existsSync(dirname(path))).toBe(true);
  // In one step: what is read in the middle of a copy would rest first.
  cpSync(fixture(schema, 'ok'), `${path}.part`);
  renameSync(`${path}.part`, path);
  expect(await outcome).toMatchObject({ type: 'artifactFound', verdict: { valid: true } });
});

test('lets an invalid artifact rest, whatever proved the end of the turn', async () => {
  const { path, outcome, schema, asked } = awaiting(1_000);
  await expect.poll(() => existsSync(dirname(path))).toBe(true);
  writeFileSync(path, '{"half":');
  await expect.poll(asked).toBe(1);
  cpSync(fixture(schema, 'ok'), path);
  expect(await outcome).toMatchObject({ verdict: { valid: true } });
});

test('reports an artifact that is still invalid after it has rested', async () => {
  const { path, outcome } = awaiting(100);
  await expect.poll(() => existsSync(dirname(path))).toBe(true);
  writeFileSync(path, '{"half":');
  expect(await outcome).toMatchObject({ verdict: { valid: false } });
});
