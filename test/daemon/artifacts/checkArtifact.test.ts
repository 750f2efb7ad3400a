import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkArtifact, checkBytes, logFaults } from '../../../daemon/artifacts/checkArtifact.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });
const ok = (id: string) => JSON.parse(readFileSync(registry.fixturePath(id, 'ok') as string, 'utf8'));

function checked(...argvs: string[][]) {
  const dag = ok('dev/dag@1');
  dag.tasks[1].checks = argvs.map((argv) => ({ argv }));
  return checkArtifact(registry, 'dev/dag@1', dag);
}

it('allows the checks that devflow would run', () => {
  expect(checked(['npm', 'test'], ['sh', '-c', 'npm run lint && npm test'])).toEqual({ ok: true });
});

it('reports each check that the policy blocks', () => {
  expect(checked(['npm', 'test'], ['git', 'clean', '-fd'], ['sh', '-c', 'rm -rf /'], [''])).toEqual({
    ok: false,
    errors: [
      {
        path: '/tasks/1/checks/1/argv',
        message: expect.stringMatching(/^devflow does not run this command: .* \(git_clean\)$/),
      },
      { path: '/tasks/1/checks/2/argv', message: expect.stringContaining('(rm_') },
      {
        path: '/tasks/1/checks/3/argv',
        message: 'devflow does not run this command: there is no program to run (shell_unreadable)',
      },
    ],
  });
});

it('reports no more faults than a prompt can hold', () => {
  const dag = ok('dev/dag@1');
  const checks = Array.from({ length: 10 }, () => ({ argv: ['rm', '-rf', 'x'] }));
  dag.tasks = Array.from({ length: 5 }, (_, n) => ({ ...dag.tasks[0], id: `T${n}`, checks }));
  const verdict = checkArtifact(registry, 'dev/dag@1', dag);
  expect(verdict.ok ? [] : verdict.errors).toHaveLength(30);
});

it('reports faults of the shape first', () => {
  expect(checkArtifact(registry, 'dev/dag@1', { summary: 's' })).toMatchObject({ ok: false });
  expect(checkArtifact(registry, 'dev/spec@1', ok('dev/spec@1'))).toEqual({ ok: true });
});

it.each([
  ['handover/brief@1', (text: string) => `---\ntype: trekbrief\nslug: ${text}\n---\n`],
  ['dev/spec@1', (text: string) => JSON.stringify({ [text]: text, requirements: [{ id: text }, { id: text }] })],
])('a fault of a hostile %s is one that a log can keep', (schema, fileWith) => {
  for (const text of ['a\0b', `${'x'.repeat(78)}🚀🚀`, `${'x'.repeat(79)}🚀`]) {
    const read = checkBytes(registry, schema, Buffer.from(fileWith(text)));
    const texts = read.ok ? [] : read.errors.flatMap(({ path, message }) => [path, message]);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((each) => each.includes('\0') || !each.isWellFormed())).toEqual([]);
  }
});

it('content that a log cannot keep is no content, however valid it is', () => {
  expect(logFaults({ text: 'a\0b' })).toMatchObject([{ path: '/text' }]);
  expect(logFaults({ text: 'x'.repeat(300_000) })).toMatchObject([{ message: expect.stringContaining('262144') }]);
  expect(logFaults({ text: 'Grüße' })).toEqual([]);
});
