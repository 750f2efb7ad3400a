import { describe, expect, test } from 'vitest';
import { widthOf } from '../../../../cli/client/textWidth.ts';
import { gateName } from '../../../../tui/text/runWords.ts';
import { detail, given, lists, press, rows, text } from '../givenScreen.ts';

const CONSEQUENCES = {
  approve: 'The tasks of each pair run one after the other; all others run in parallel.',
  request_changes: 'The plan is written again, with your comment.',
  reject: 'The run ends as failed.',
};
const OVERLAP = detail('gate-1', {
  gateKey: 'parallel_dag_approved',
  phaseKey: 'build',
  laneId: 'main',
  question: 'These tasks may write the same files. Put them in order?',
  subject: {
    laneId: 'main',
    pairs: [
      { a: 'api', b: 'ui', reasons: [{ kind: 'file', files: ['src/a.ts'], count: 3 }] },
      { a: 'api', b: 'docs\u001b[2J', reasons: [{ kind: 'undecided', globs: ['a/**', '@(a|b)/*'] }] },
    ],
  },
  consequences: CONSEQUENCES,
});
const shown = (size: { columns: number; rows: number }) =>
  given({ screen: 'approval', id: 'gate-1' }, lists({ 'approval.get gate-1': OVERLAP }), size);

test('shows every pair, why, and what each decision does', () => {
  const seen = text(shown({ columns: 80, rows: 30 }));
  expect(seen).toContain('These tasks may write the same files. Put them in order?');
  expect(seen).toContain('• api, ui: both may write src/a.ts and 2 more');
  expect(seen).toContain('• api, docs␛[2J: a/** and @(a|b)/* may mean the same file');
  expect(seen).toMatch(/approve: The tasks of each pair run one after the other; all others run in\n +parallel\./);
  expect(seen).toContain('request changes: The plan is written again, with your comment.');
  expect(seen).toContain('reject: The run ends as failed.');
});

test('fits every width', () => {
  for (const columns of [40, 60, 120])
    for (const row of rows(shown({ columns, rows: 40 }))) expect(widthOf(row)).toBeLessThanOrEqual(columns);
});

test('shows the commands that a repository would run, with their texts', () => {
  const bodies = [{ path: 'package.json', line: 3, text: 'touch \u001b[2J' }];
  const probe = { argv: ['npm', 'test'], cwd: '.', from: { path: 'package.json', line: 3 }, bodies, unread: [] };
  const subject = { plan: 'p', probes: [probe], limits: ['no network'] };
  const gate = detail('gate-1', { gateKey: 'probes_approved', laneId: 'main', question: 'Run 1 command?', subject });
  const model = given({ screen: 'approval', id: 'gate-1' }, lists({ 'approval.get gate-1': gate }), {
    columns: 80,
    rows: 30,
  });
  expect(text(model)).toMatch(
    /copy of the repository: no network\.[\s\S]*npm test {2}\(package\.json:3\)\n +package\.json:3\n {5}touch ␛\[2J/,
  );
});

test('rejecting a lane asks with what happens to the lane', () => {
  const reject = 'The lane ends without landing.';
  const gate = detail('gate-1', { gateKey: 'writeset_conflict', laneId: 'lane-1', consequences: { reject } });
  const model = given({ screen: 'approval', id: 'gate-1' }, { 'approval.get gate-1': gate, 'approval.list': [] });
  const { overlay } = press(model, 'R', 5_000).model;
  expect(overlay).toMatchObject({ kind: 'confirm', detail: reject });
});

describe('the name of a gate', () => {
  test.each([
    [{ gateKey: 'g', phaseKey: 'build', laneId: 'lane-1', assignment: null }, 'g (build, lane-1)'],
    [{ gateKey: 'g', phaseKey: 'build', laneId: null, assignment: 'api' }, 'g (build, api)'],
    [{ gateKey: 'g', phaseKey: 'build', laneId: 'main', assignment: null }, 'g (build)'],
    [{ gateKey: 'g', phaseKey: 'g' }, 'g'],
  ])('%o', (gate, name) => {
    expect(gateName(gate)).toBe(name);
  });
});
