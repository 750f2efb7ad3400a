import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Method } from '../../schemas/rpc/contract.ts';
import { METHODS } from '../../schemas/rpc/methods/index.ts';
import { shareDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';

/** The part of a JSON Schema that tells where a method takes texts. */
interface Shape {
  type?: string;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  items?: Shape;
  anyOf?: Shape[];
}

/** Values with a meaning, by the name of the parameter. */
type Known = Readonly<Record<string, unknown>>;

const shapeOf = (method: Pick<Method, 'params'>) =>
  z.toJSONSchema(method.params, { io: 'input', unrepresentable: 'any' }) as Shape;

/** A value of this shape with what must be there. */
function least(shape: Shape, known: Known, name = ''): unknown {
  if (Object.hasOwn(known, name)) return known[name];
  if (shape.anyOf) return least(shape.anyOf[0] as Shape, known);
  if (shape.enum) return shape.enum[0];
  if (shape.format === 'uuid') return randomUUID();
  if (shape.type === 'object') {
    const names = shape.required ?? [];
    return Object.fromEntries(names.map((each) => [each, least(shape.properties?.[each] ?? {}, known, each)]));
  }
  if (shape.type === 'array') return [least(shape.items ?? {}, known)];
  return { string: 'x', integer: 1, number: 1, boolean: false }[shape.type ?? ''] ?? {};
}

/** The same value with `text` in one place, once for each place that takes a text. */
function* withText(shape: Shape, known: Known, text: string, name = ''): Generator<unknown> {
  const { anyOf = [], items, properties = {}, additionalProperties: more } = shape;
  for (const one of anyOf) yield* withText(one, known, text);
  if (shape.type === 'array') for (const each of withText(items ?? {}, known, text)) yield [each];
  if (shape.type === 'string' && !shape.enum && shape.format !== 'uuid') yield text;
  if (shape.type !== 'object') return;
  const others = least(shape, known, name) as object;
  for (const [key, one] of Object.entries(properties)) {
    for (const each of withText(one, known, text, key)) yield { ...others, [key]: each };
  }
  if (typeof more !== 'object') return;
  yield { ...others, [text]: least(more, known) };
  for (const each of withText(more, known, text)) yield { ...others, x: each };
}

/** What these methods read before they look at the repository. */
const READ_FIRST: Readonly<Record<string, Known>> = {
  'autodev.record': { event: 'started' },
  'cycle.apply': { event: { type: 'iteration.started' } },
  'state.init': { type: 'dev', apply: true },
  'state.sidecar': { name: 'test-summary.json' },
  'state.update': { pairs: ['note=x'] },
};

const HOSTILE = { NUL: 'a\0b', 'half of a character': 'a\ud800', 'a path that is too long': `/${'a'.repeat(5000)}` };

const daemon = shareDaemon();

/** The last one would end the run that others ask about. */
const IN_ORDER = METHODS.toSorted((a, b) => Number(a.name === 'run.abort') - Number(b.name === 'run.abort'));

test.each(Object.entries(HOSTILE))('%s in a text makes no method answer "internal error"', async (_, text) => {
  const repo = daemon().repo().dir;
  const runId = await startRun(daemon(), { repo });
  const events = await drive(daemon(), runId, { stopAt: ({ type }) => type === 'artifact.recorded' });
  const client = await daemon().client();
  const { cycle_id: id } = await client.call('cycle.new', { repo, task: 'Make it better.' });
  const ofAll = { repo, cwd: repo, id, runId, artifactId: events.at(-1)?.payload.artifactId };
  const broken: string[] = [];
  let count = 0;
  for (const method of IN_ORDER) {
    const known = { ...ofAll, ...READ_FIRST[method.name] };
    for (const params of withText(shapeOf(method), known, text)) {
      const fault: { code?: string } = await client.request(method.name, params).then(
        () => ({}),
        (error) => error,
      );
      count += 1;
      if (fault.code === 'internal') broken.push(`${method.name} ${JSON.stringify(params).replaceAll(text, 'TEXT')}`);
    }
  }
  client.close();
  await daemon().cli(['run', 'abort', runId]);
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(METHODS.length);
});

/** What these methods must be given to answer, beyond what is required. */
const GIVEN: Readonly<Record<string, Known>> = {
  'artifact.validate': { schema: 'dev/dag@1', text: '{}' },
  'contract.show': { contract: 'autodev/state@1' },
  'persona.lint': { ref: 'planner-fake' },
  'run.start': { template: 'development@1', parallel: true, backend: { planner: 'fake', implementer: 'fake' } },
  'schedule.add': {
    ...{ expression: '@daily', zone: 'UTC', template: 'development@1' },
    backend: { planner: 'fake', implementer: 'fake' },
  },
  'state.init': { type: 'dev' },
  'state.sidecar': { name: 'test-summary.json' },
  'template.diff': { from: { ref: 'quick-change@1' }, to: { ref: 'quick-change@2' } },
  'template.lint': { ref: 'quick-change' },
  'template.rehearse': { ref: 'quick-change' },
};

/** A run at a gate, and one cycle, do not have what these methods read. No person leads that run. */
const REFUSED = [
  ...['backtest.show', 'backtest.compare', 'run.apply', 'run.continue', 'approval.diff'],
  ...['session.attachTarget', 'session.pane'],
  ...['state.read', 'state.references', 'handover.check', 'handover.drift', 'handover.next', 'handover.cleanup'],
  'host.forget',
];

test('a call that changes nothing leaves the rows and the repository as they were', async () => {
  const { dir: repo, git } = daemon().repo();
  const runId = await startRun(daemon(), { repo });
  const events = await drive(daemon(), runId, { stopAt: ({ type }) => type === 'approval.requested' });
  const payloadOf = (type: string) => events.find((event) => event.type === type)?.payload ?? {};
  const client = await daemon().client();
  const known = {
    ...{ repo, cwd: repo, runId, template: 'development', persona: 'planner-fake' },
    id: (await client.call('cycle.new', { repo, task: 'Make it better.' })).cycle_id,
    artifactId: (await client.call('artifact.list', { runId }))[0]?.artifactId,
    approvalId: payloadOf('approval.requested').approvalRequestId,
    sessionId: payloadOf('session.created').sessionId,
  };
  const before = await lookAt(repo, git);
  const refused: string[] = [];
  for (const method of METHODS as readonly Method[]) {
    const { name, changes } = method;
    if (changes === 'something') continue;
    const harmless = typeof changes === 'object' && 'unless' in changes ? { [changes.unless]: true } : {};
    const params = { ...(least(shapeOf(method), known) as object), ...GIVEN[name], ...harmless };
    await client.request(name, params).catch(() => refused.push(name));
  }
  client.close();
  expect(await lookAt(repo, git)).toEqual(before);
  await daemon().cli(['run', 'abort', runId]);
  expect(refused).toEqual(REFUSED);
});

/** The rows of all tables that only a call changes, and the repository. */
async function lookAt(repo: string, git: (...args: string[]) => string) {
  const tables = await daemon().query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
      AND table_name NOT IN ('daemon_lease', 'tui_sessions', 'tui_transcript_chunks')`,
  );
  const statement = tables
    .map(({ name }) => `SELECT '${name}' AS name, md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${name} t`)
    .join(' UNION ALL ');
  const files = readdirSync(repo, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git') && statSync(join(repo, path)).isFile())
    .map((path) => [path, readFileSync(join(repo, path), 'utf8')]);
  return { rows: await daemon().query(statement), files, refs: git('for-each-ref') };
}
