import { describe, expect, test } from 'vitest';
import { readChangesLog } from '../../../../schemas/contracts/cycle/documents/changesLog.ts';
import {
  readRequirements,
  requirementsDocument,
} from '../../../../schemas/contracts/cycle/documents/requirementsDocument.ts';
import { rebuild } from '../../../../schemas/contracts/cycle/rebuild/rebuild.ts';
import { documentPath } from '../../../../schemas/contracts/cycle/state/cyclePaths.ts';
import { codesOf, created, findingsOf, ID, play, refused, started, treeOf } from './givenCycle.ts';

const MANY = 100_000;
const CHAIN = 20_000;
const task = (id: number, depends_on: string[]) => {
  return { id: `TASK-${1000 + id}`, description: 'x', effort: 'small', depends_on, status: 'pending', files: [] };
};
const planned = (tasks: unknown[]) => {
  const plan = {
    version: '1.0.0',
    tasks,
    total_estimated_effort: '',
    critical_path: [],
    last_updated: created().created_at,
  };
  return { ...started(), plan };
};

describe('a hostile state', () => {
  test('CS-14: a chain of tasks and a ring of them are read without recursion', () => {
    const chain = Array.from({ length: CHAIN }, (_, at) => task(at, at + 1 < CHAIN ? [`TASK-${1001 + at}`] : []));
    expect(codesOf(planned(chain)).errors).toEqual([]);
    chain[CHAIN - 1] = task(CHAIN - 1, ['TASK-1000']);
    const { errors } = findingsOf(planned(chain));
    expect(errors.map(({ code }) => code)).toEqual(['CYCLE_PLAN_DEPENDENCY']);
    expect(errors[0]?.message.length).toBeLessThan(200);
  });

  test('CS-13: as many faults as it likes give a bounded report', () => {
    const { errors } = findingsOf(planned(Array(MANY).fill({})));
    expect(errors.length).toBeLessThan(300);
    expect(errors.at(-1)?.message).toContain('not listed');
    expect(codesOf(planned(Array(MANY + 1).fill(0))).errors).toEqual(['CYCLE_INVALID_FIELD']);
  });

  test('CS-5: long texts of the file are not repeated', () => {
    const long = 'x'.repeat(1_000_000);
    const state = {
      ...created(),
      cycle_id: long,
      status: long,
      agents: { ...created().agents, [long]: {} },
      completed_phases: [long],
      coordination: { ...created().coordination, blockers: [{ [long]: 1 }] },
    };
    for (const { message, field = '' } of findingsOf(state).errors) {
      expect(message.length + field.length).toBeLessThan(400);
    }
  });

  test('CS-46: a state that is nested too deep cannot be read', () => {
    const deep = `{"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
    expect(codesOf(deep).errors).toEqual(['CYCLE_PARSE_ERROR']);
    expect(codesOf('['.repeat(1_000_000)).errors).toEqual(['CYCLE_PARSE_ERROR']);
    expect(codesOf(JSON.stringify({ ...created(), text: '['.repeat(1_000_000) })).errors).toEqual([]);
  });

  test('CS-9: the names of JavaScript are no agents', () => {
    const text = JSON.stringify(created()).replace('"agents":{', '"agents":{"__proto__":{},"constructor":{},');
    expect(codesOf(text).errors).toEqual(['CYCLE_AGENTS', 'CYCLE_AGENTS']);
    expect(refused(() => play(started(), { type: 'agent.started', agent: '__proto__' }))).toBe('usage');
  });
});

describe('hostile documents', () => {
  test.each([
    ['headings', '## Edge Cases\n'.repeat(1_000_000)],
    ['items', `## Edge Cases\n${'- a\n'.repeat(1_000_000)}`],
    ['spaces', `# ${' '.repeat(1_000_000)}\n- ${' '.repeat(1_000_000)}`],
    ['versions', `# ${'v1.1.'.repeat(1_000_000)}`],
    ['digits', `# v${'1'.repeat(1_000_000)}`],
    ['named cases', `## Edge Cases\n${'### EC-1: x\n'.repeat(100_000)}`],
    ['notes', '<!-- devflow: {} -->\n'.repeat(100_000)],
  ])('CS-43: a document of a million %s is read at once', (_, text) => {
    expect(readRequirements(text).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('CS-31: a note cannot end the comment that it is in', () => {
    const document = requirementsDocument({
      version: '1.0.0',
      specification: 'x',
      edge_cases: ['-->\n<script>', '\u2028'],
      last_updated: created().created_at,
    });
    expect(document.trimEnd().split('-->')).toHaveLength(3);
    expect(document.trimEnd().endsWith('-->')).toBe(true);
  });

  test('CS-43: a log cannot ask for a billion iterations', () => {
    const at = '2026-01-22T09:00:00+08:00';
    const line = (iteration: unknown) => JSON.stringify({ timestamp: at, file: 'a', action: 'modify', iteration });
    const { changes, badLines } = readChangesLog([line(1e9), line(0), line('1'), line(1)].join('\n'));
    expect([changes.changes.length, badLines]).toEqual([1, [1, 2, 3]]);
    const tree = treeOf({ [documentPath(ID, 'requirements')]: '# x v1.999999999.0\n' });
    expect(rebuild(tree, ID).parsed?.state?.iterations).toHaveLength(1);
  });

  test('CS-45: a log of bad lines gives a bounded report', () => {
    const tree = treeOf({ [documentPath(ID, 'changes')]: 'x\n'.repeat(1_000_000) });
    const { warnings, errors } = rebuild(tree, ID);
    expect(warnings.length).toBeLessThan(110);
    expect(errors).toMatchObject([{ code: 'CYCLE_REBUILD_UNREADABLE', path: documentPath(ID, 'changes') }]);
  });

  test('CS-45: values that are nested too deep are in no state', () => {
    const deep = '['.repeat(500) + ']'.repeat(500);
    const line = `{"timestamp":"2026-01-22T09:00:00+08:00","file":"a","action":"modify","iteration":1,"x":${deep}}`;
    expect(readChangesLog(line)).toMatchObject({ changes: { changes: [] }, badLines: [1] });
    const tree = treeOf({ [documentPath(ID, 'plan')]: `{"x":${deep}}` });
    expect(rebuild(tree, ID).errors).toMatchObject([{ code: 'CYCLE_REBUILD_UNREADABLE' }]);
    const event = { type: 'changes.appended', changes: [{ file: 'a', action: 'create', x: JSON.parse(deep) }] };
    expect(refused(() => play(started(), event))).toBe('usage');
  });

  test('CS-43: a title is cut to its length', () => {
    const tree = treeOf({ [documentPath(ID, 'requirements')]: `# x v1.0.0\n\n# ${'🔐'.repeat(MANY)}` });
    expect(codesOf(rebuild(tree, ID).parsed?.state).errors).toEqual([]);
  });
});
