import { expect, test } from 'vitest';
import type { RunDetail } from '../../../../schemas/rpc/views/run.ts';
import { textOf } from '../../../../tui/text/line.ts';
import { view } from '../../../../tui/view.ts';
import { detail, press, RUN, runKey, shows } from './runFixtures.ts';

type Artifact = RunDetail['artifacts'][number];

const [fine] = detail().artifacts as [Artifact];
const OLD = { ...fine, createdAt: '2025-11-02T10:11:12.000Z', schema: 'dev/implementation-report@1' };
const broken: Artifact = {
  ...OLD,
  artifactId: 'other',
  phaseKey: 'implementation',
  attempt: 12,
  valid: false,
  path: '/w/report.json',
  errors: [{ path: '/tasks/0/title', message: 'must have at least 3 characters' }],
};

test('a row names its file or its first error at every width', () => {
  const run = detail({ artifacts: [{ ...OLD, valid: true, errors: [], path: '/w/specification.json' }, broken] });
  for (let columns = 60; columns <= 250; columns += 1) {
    const model = press(shows({ screen: 'run', id: RUN }, { columns, rows: 24 }, [[runKey, run]]), 'tab', 'tab');
    const text = view(model).map(textOf).join('\n');
    expect(text, `${columns}`).toContain('specification.j');
    expect(text, `${columns}`).toContain('/tasks/0/title');
  }
});
