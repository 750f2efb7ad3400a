import { expect, test } from 'vitest';
import {
  contractDocuments,
  isContractDocument,
  readContractDocument,
} from '../../../schemas/contracts/readArtifact.ts';

const PLAN = `---
plan_version: "1.7"
---

# Plan

## Implementation Plan

### Step 1: Write it

\`\`\`yaml
manifest:
  expected_paths: [a.txt]
  min_file_count: 1
  commit_message_pattern: ".*"
  bash_syntax_check: []
  forbidden_paths: []
  must_contain: []
\`\`\`
`;

test('HC-8.1 a document of a contract is read in strict mode, and its content is data', () => {
  expect(readContractDocument('handover/plan@1', PLAN)).toMatchObject({
    ok: true,
    data: { planVersion: '1.7', steps: [{ number: 1, title: 'Write it', manifest: { expected_paths: ['a.txt'] } }] },
    warnings: [],
  });
});

test('HC-8.1 a fault has its code and its line', () => {
  const read = readContractDocument('handover/plan@1', PLAN.replace('### Step 1:', '### Phase 1:'));
  expect(read).toMatchObject({ ok: false });
  expect(read.ok ? [] : read.errors).toContainEqual({
    path: '',
    message: expect.any(String),
    code: 'PLAN_FORBIDDEN_HEADING',
    line: 9,
  });
});

test('HC-8.2 what a reader should know are warnings of a valid document', () => {
  const read = readContractDocument('handover/plan@1', PLAN.replace('"1.7"', '"1.8"'));
  expect(read).toMatchObject({ ok: true, warnings: [{ code: 'PLAN_VERSION_MISMATCH' }] });
});

test.each([
  ['cycle/requirements@1', { specification: 'Add.', edge_cases: ['Nothing to add.'] }],
  [
    'cycle/plan@1',
    { tasks: [{ id: 'TASK-001', description: 'Add.', effort: 'small' }], total_estimated_effort: 'small' },
  ],
  ['cycle/plan@1', { tasks: [], total_estimated_effort: 'none', exploration: { architecture_summary: 'One file.' } }],
  ['cycle/changes@1', { changes: [{ file: 'a.ts', action: 'modify' }] }],
  ['cycle/changes@1', { changes: [] }],
  ['cycle/test-results@1', { pass_rate: 100, coverage: 80.5, failed_tests: [], total_tests: 3 }],
])('CS-53 %s is what its agent delivers', (schema, data) => {
  expect(readContractDocument(schema, JSON.stringify(data))).toEqual({ ok: true, data, warnings: [] });
});

test.each([
  ['cycle/requirements@1', '{}', 'specification'],
  ['cycle/requirements@1', 'no JSON', 'JSON'],
  ['cycle/requirements@1', '{"specification":"Add.","exploration":{}}', 'exploration'],
  ['cycle/plan@1', '{"tasks":[{"id":"TASK-001"}],"total_estimated_effort":"small"}', 'description'],
  ['cycle/plan@1', '{"tasks":[],"total_estimated_effort":"none","exploration":[]}', 'exploration'],
  [
    'cycle/plan@1',
    '{"tasks":[{"id":"TASK-001","description":"a","effort":"small","depends_on":["TASK-001"]}],"total_estimated_effort":"small"}',
    'TASK-001',
  ],
  [
    'cycle/plan@1',
    '{"tasks":[{"id":" ","description":"a","effort":"small"}],"total_estimated_effort":"small"}',
    'plan.tasks[0].id is empty',
  ],
  ['cycle/test-results@1', '{"pass_rate":101,"coverage":0,"total_tests":1}', 'pass_rate'],
  ['cycle/test-results@1', '{"pass_rate":1,"coverage":0,"total_tests":1,"__proto__":{}}', '__proto__'],
])('CS-53 %s refuses %s', (schema, text, word) => {
  const read = readContractDocument(schema, text);
  expect(read.ok ? [] : read.errors.map(({ message }) => message)).toContainEqual(expect.stringContaining(word));
});

test('all documents of contracts are known, and nothing else is', () => {
  expect(contractDocuments().every(isContractDocument)).toBe(true);
  expect(contractDocuments()).toContain('handover/session-state@1');
  expect(['handover/architecture@1', 'dev/dag@1', '__proto__', 'cycle/none@1'].filter(isContractDocument)).toEqual([]);
});
