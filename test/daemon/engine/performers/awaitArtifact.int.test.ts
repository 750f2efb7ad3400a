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

/** The performer at work on an artifact whose writer has just ended, as far as is known. `comments`: it is still at work. */
function awaiting(artifactDebounceMs: number, comments: string[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-await-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const due = decide(given({}, bound, started, sent).run).find(({ type }) => type === 'awaitArtifact');
  const effect = due as EffectOf<'awaitArtifact'>;
  const path = join(root, 'artifacts', 'a.json');
  const session = { ...effect.session, cwd: root };
  const listeners = new Set<() => void>();
  let asked = 0;
  let isAtWork = comments.length > 0;
  const turn: Turn = {
    async endedAt() {
      asked += 1;
      if (isAtWork) return undefined;
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
  const answers = join(root, 'artifacts', 'answers.json');
  const asks = comments.length > 0 ? { answers: { path: answers, comments, isTurnOver: false } } : {};
  const mine = { ...effect, ...asks, session, path, storedPath: join(root, 'stored', 'a.json'), timeoutMs: null };
  const outcome = awaitArtifact(mine, ports, new AbortController().signal);
  const endTurn = () => {
    isAtWork = false;
    for (const listener of [...listeners]) listener();
  };
  return { path, answers, outcome, schema: effect.schema, asked: () => asked, endTurn, listeners };
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

test('waits for the answers of an agent that writes them after the artifact', async () => {
  const { path, answers, outcome, schema, listeners } = awaiting(50, ['c1']);
  await expect.poll(() => existsSync(dirname(path))).toBe(true);
  cpSync(fixture(schema, 'ok'), path);
  // It listens for the end of the turn only once the artifact has rested without answers.
  await expect.poll(() => listeners.size).toBe(1);
  writeFileSync(answers, JSON.stringify({ answers: [{ id: 'c1', action: 'fixed', note: 'Done.' }] }));
  expect(await outcome).toMatchObject({
    verdict: { valid: true, answers: [{ id: 'c1', action: 'fixed', note: 'Done.' }] },
  });
});

test('reports missing answers once the turn is over', async () => {
  const { path, outcome, schema, listeners, endTurn } = awaiting(50, ['c1', 'c2']);
  await expect.poll(() => existsSync(dirname(path))).toBe(true);
  cpSync(fixture(schema, 'ok'), path);
  await expect.poll(() => listeners.size).toBe(1);
  endTurn();
  const missing = { path: '/answers', message: expect.stringContaining('It must answer c1, c2.') };
  expect(await outcome).toMatchObject({ verdict: { valid: false, errors: [missing] } });
});
