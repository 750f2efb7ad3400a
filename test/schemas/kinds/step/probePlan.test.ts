import { expect, test } from 'vitest';
import { probePlanLines } from '../../../../schemas/kinds/step/probePlan.ts';

const probe = {
  argv: ['npm', 'run', 'a b'],
  cwd: 'web',
  from: { path: 'web/package.json', line: 4 },
  bodies: [{ path: 'web/package.json', line: 4, text: 'node x.js\n./y.sh\n' }],
  unread: ['node', 'y.sh'],
};

test('lists each command with the texts that run with it, and what devflow did not read', () => {
  expect(
    probePlanLines({ laneId: 'main', plan: 'p', probes: [probe], limits: ['no network'], isChanged: true }),
  ).toEqual([
    'What would run has changed since the last decision.',
    'They run in a copy of the repository: no network.',
    'A green check may run twice more, on broken files, to show that it can fail.',
    '',
    "npm run 'a b'  (web/package.json:4, in web)",
    '  web/package.json:4',
    '    node x.js',
    '    ./y.sh',
    '  and what devflow does not read: node, y.sh',
  ]);
});

test('lists nothing at other gates', () => {
  expect(probePlanLines({ pairs: [] })).toEqual([]);
});
