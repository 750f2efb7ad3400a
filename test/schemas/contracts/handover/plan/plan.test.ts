import { describe, expect, test } from 'vitest';
import { checkPlan } from '../../../../../schemas/contracts/handover/plan/plan.ts';
import {
  about,
  errorsOf,
  file,
  givenManifest,
  givenPlan,
  givenStep,
  IDS,
  LINK,
  MANIFEST,
  MISSING,
  warningsOf,
} from '../given.ts';

const check = (text: string) => checkPlan(file(text), 'plan.md');
const checkSteps = (...steps: string[]) => check(givenPlan(steps));
const checkKeys = (keys: Partial<Record<keyof typeof MANIFEST, string | undefined>>) =>
  checkSteps(givenStep(1, 'x', givenManifest(keys)));

describe('HC-4.1: the version of a plan', () => {
  test('HC-4.1: the version stands in the frontmatter', () => {
    const report = check(givenPlan());
    expect([report.valid, about(report), report.parsed?.planVersion]).toEqual([true, [], '1.7']);
  });

  test('HC-4.1: a quoted line under the title is accepted with a warning', () => {
    const body = givenPlan()
      .replace(/^---\n.*\n---\n/, '')
      .replace('# Plan\n', '# Plan\n\n> Made by a planner — `plan_version: 1.7`\n');
    const report = check(body);
    expect([report.valid, warningsOf(report), report.parsed?.planVersion]).toEqual([
      true,
      ['PLAN_VERSION_IN_BODY'],
      '1.7',
    ]);
    expect(errorsOf(check(body.replace('> Made', 'Made')))).toEqual(['FM_MISSING']);
    expect(errorsOf(check('\n'.repeat(20) + body))).toEqual(['FM_MISSING']);
    const late = check(givenPlan([givenStep(1)], { plan_version: undefined }).replace('# Plan', '> plan_version: 1.7'));
    expect([late.valid, warningsOf(late)]).toEqual([true, ['PLAN_VERSION_IN_BODY']]);
  });

  test('HC-4.1: without a version it is not valid', () => {
    expect(errorsOf(check(givenPlan([givenStep(1)], { plan_version: undefined, x: 1 })))).toEqual([
      'PLAN_MISSING_FIELD',
    ]);
    expect(errorsOf(check(givenPlan([givenStep(1)], { plan_version: ['1.7'] })))).toEqual(['PLAN_MISSING_FIELD']);
    expect(errorsOf(check('---\nplan_version: 1.7\n'))).toEqual(['FM_UNTERMINATED']);
  });
});

describe('HC-4.2: the steps of a plan', () => {
  test('HC-4.2: the section is required', () => {
    expect(about(check(givenPlan().replace('## Implementation Plan', '## Plan')))).toEqual([
      ['PLAN_MISSING_SECTION', 'Implementation Plan'],
    ]);
  });

  test.each([
    [[1, 3], [3]],
    [[2], [2]],
    [[1, 1, 2], [1]],
    [[0, 1], [0]],
    [
      [2, 1],
      [2, 1],
    ],
  ])('HC-4.2: steps %s are not numbered from 1 without a gap', (numbers, wrong) => {
    const report = checkSteps(...numbers.map((number) => givenStep(number)));
    expect(about(report)).toEqual(wrong.map((number) => ['PLAN_STEP_NUMBERING', number]));
  });

  test.each([
    '### Step 2 - x',
    '### Step 2 x',
    '### Step 2:x',
    '### Step 02: x',
    '### step 2: x',
    '###  Step 2: x',
    '## Step 2: x',
    '#### Step 2: x',
    '### **Step 2**: x',
    '### Step 2: ',
    ' ### Step 2: x',
  ])('HC-4.2: “%s” is nearly a step, and none', (heading) => {
    const report = checkSteps(givenStep(1), `${heading}\n`);
    expect([report.valid, warningsOf(report)]).toEqual([true, ['PLAN_STEP_FORM']]);
  });

  test('HC-4.2: of a plan with too many steps only the first are read, and the number is said', () => {
    const report = checkSteps(...Array.from({ length: 1_200 }, (_, index) => `### Step ${index + 1}: x\n`));
    expect(report.parsed?.steps).toHaveLength(1_000);
    expect(report.errors.find(({ code }) => code === 'PLAN_STEP_NUMBERING')?.message).toContain('1200 steps');
  });

  test('HC-4.2: other headings are no steps', () => {
    expect(about(checkSteps(givenStep(1), '### Steps to reproduce\n### Stepwise 1\n'))).toEqual([]);
  });
});

test.each(['Fase', 'Phase', 'Stage', 'Steg', 'phase', 'STEG'])(
  'HC-4.3: a heading %s N is forbidden with its line',
  (word) => {
    for (const marks of ['##', '###']) {
      const text = givenPlan([`${marks} ${word} 1: a\n`, givenStep(1)]);
      const report = check(text);
      expect(about(report)).toEqual([
        ['PLAN_FORBIDDEN_HEADING', text.split('\n').indexOf(`${marks} ${word} 1: a`) + 1],
      ]);
    }
    expect(
      about(
        check(givenPlan([`#### ${word} 1\n# ${word} 1\n\`\`\`md\n## ${word} 1\n\`\`\`\n### ${word}s\n`, givenStep(1)])),
      ),
    ).toEqual([]);
  },
);

describe('HC-4.4: the manifest of a step', () => {
  test('HC-4.4: a step has one manifest, indented or not', () => {
    expect(about(checkSteps(givenStep(1), givenStep(2, 'y', givenManifest({}, ''))))).toEqual([]);
  });
  test('HC-4.4: other blocks do not count', () => {
    const other = '```yaml\nname: x\nmanifest: y\n```\n```yml\nmanifest:\n  a: 1\n```\n```\nmanifest:\n```\n';
    expect(about(checkSteps(givenStep(1, 'x', other + givenManifest())))).toEqual([]);
    expect(about(checkSteps(givenStep(1), givenStep(2, 'x', other)))).toContainEqual(['MANIFEST_MISSING', 2]);
  });
  test('HC-4.4: a comment may stand before the manifest, and a sub-heading around it', () => {
    const manifest = givenManifest().replace('manifest:', '# what it changes\n  manifest:');
    expect(about(checkSteps(givenStep(1, 'x', `#### Manifest\n${manifest}`)))).toEqual([]);
  });
});

describe('HC-4.5: the keys of a manifest', () => {
  test.each(Object.keys(MANIFEST) as (keyof typeof MANIFEST)[])('HC-4.5: %s is required', (key) => {
    const report = checkKeys({ [key]: undefined });
    expect(about(report)).toEqual([['MANIFEST_MISSING_KEY', key]]);
    expect(report.errors[0]?.step).toBe(1);
    expect(report.parsed?.steps[0]?.manifest).toBeNull();
  });
  test.each([
    ['expected_paths', 'src/a.ts'],
    ['expected_paths', '[1]'],
    ['min_file_count', 'one'],
    ['min_file_count', '-1'],
    ['min_file_count', '.inf'],
    ['commit_message_pattern', '[a]'],
    ['bash_syntax_check', '{a: b}'],
    ['forbidden_paths', 'null'],
    ['must_contain', 'x'],
    ['must_contain', '[x]'],
    ['must_contain', '[{path: x}]'],
    ['must_contain', '[{path: x, pattern: 1}]'],
  ] as const)('HC-4.5: %s may not be %s', (key, value) => {
    expect(about(checkKeys({ [key]: value }))).toEqual([['MANIFEST_INVALID_KEY', key]]);
  });
  test.each([
    ['is no YAML', givenManifest({ expected_paths: '[a' })],
    ['has a key twice', givenManifest({ min_file_count: '1\n  min_file_count: 2' }, '')],
    ['is empty', '```yaml\nmanifest:\n```\n'],
    ['is a text', '```yaml\nmanifest: x\n```\n'],
    ['is a list', '```yaml\nmanifest:\n  - a\n```\n'],
    ['is not closed', '```yaml\nmanifest:\n  a: 1\n'],
    ['has an alias', givenManifest({ expected_paths: '&a [x]', forbidden_paths: '*a' })],
  ])('HC-4.5: a manifest that %s is MANIFEST_SYNTAX', (_, manifest) => {
    expect(about(checkSteps(givenStep(1, 'x', manifest)))).toEqual([['MANIFEST_SYNTAX', 1]]);
  });
  test('HC-4.5: a block list and an empty must_contain are valid', () => {
    const keys = { must_contain: '[]', expected_paths: '\n      - a\n      - b', min_file_count: '0' };
    expect(about(checkKeys(keys))).toEqual([]);
  });
});

test('HC-4.6: a plan without steps is not valid', () => {
  expect(errorsOf(check(givenPlan([])))).toEqual(['PLAN_NO_STEPS']);
});

test('HC-4.7: there are as many manifests as steps', () => {
  expect(errorsOf(checkSteps(givenStep(1), givenStep(2, 'x', '')))).toEqual([
    'MANIFEST_MISSING',
    'PLAN_MANIFEST_COUNT_MISMATCH',
  ]);
  expect(errorsOf(checkSteps(givenStep(1, 'x', givenManifest() + givenManifest())))).toEqual([
    'PLAN_MANIFEST_COUNT_MISMATCH',
  ]);
  const moved = checkSteps(givenStep(1, 'x', givenManifest() + givenManifest()), givenStep(2, 'y', ''));
  expect(errorsOf(moved)).toEqual(['MANIFEST_MISSING', 'PLAN_MANIFEST_COUNT_MISMATCH']);
});

describe('HC-4.8: the patterns of a manifest', () => {
  test.each([
    ['commit_message_pattern', "'^feat('"],
    ['must_contain', "[{path: x, pattern: '['}]"],
    ['commit_message_pattern', '"^feat\\("'],
    ['commit_message_pattern', '"^feat\\(x\\)"'],
  ] as const)('HC-4.8: %s: %s does not compile', (key, value) => {
    const report = checkKeys({ [key]: value });
    expect(about(report)).toEqual([['MANIFEST_PATTERN_INVALID', key]]);
  });
  test('HC-4.8: a bad escape is named with its line', () => {
    const text = givenPlan([givenStep(1, 'x', givenManifest({ commit_message_pattern: '"^feat\\("' }))]);
    const line = text.split('\n').findIndex((each) => each.includes('\\(')) + 1;
    expect(check(text).errors[0]).toMatchObject({ line, step: 1, field: 'commit_message_pattern' });
  });
  test('HC-4.8: a pattern with escapes compiles', () => {
    expect(about(checkKeys({ commit_message_pattern: '"^feat\\\\(x\\\\)"' }))).toEqual([]);
  });
});

test('HC-4.9: another version only warns', () => {
  const report = check(givenPlan([givenStep(1)], { plan_version: '1.6' }));
  expect([report.valid, warningsOf(report)]).toEqual([true, ['PLAN_VERSION_MISMATCH']]);
});

test('HC-4.10: nothing of a plan is forgiven: all its errors are errors for a reader', () => {
  const report = checkPlan(MISSING, 'plan.md');
  expect(errorsOf(report)).toEqual(['PLAN_NOT_FOUND']);
  expect(errorsOf(checkPlan(LINK, 'plan.md'))).toEqual(['PLAN_READ_ERROR']);
});

test('HC-4.11: parsed has version, source findings and steps', () => {
  const text = givenPlan([givenStep(1, 'Add it')], { source_findings: [IDS[0]] });
  expect(check(text).parsed).toEqual({
    planVersion: '1.7',
    sourceFindings: [IDS[0]],
    steps: [
      {
        number: 1,
        title: 'Add it',
        line: text.split('\n').indexOf('### Step 1: Add it') + 1,
        manifest: {
          expected_paths: ['src/login.ts'],
          min_file_count: 1,
          commit_message_pattern: '^feat: login',
          bash_syntax_check: [],
          forbidden_paths: [],
          must_contain: [{ path: 'src/login.ts', pattern: 'login' }],
        },
      },
    ],
  });
});

test.each([
  ['is in brackets', `[${IDS[0]}]`],
  ['is a text', IDS[0]],
  ['has no ids', ['abc']],
])('HC-6.12: source_findings that %s is refused', (_, value) => {
  expect(about(check(givenPlan([givenStep(1)], { source_findings: value })))).toEqual([
    ['PLAN_BAD_SOURCE_FINDINGS', 'source_findings'],
  ]);
});

test('HC-6.12: source_findings may be absent, and is a block list of ids', () => {
  expect(about(check(givenPlan([givenStep(1)], { source_findings: [IDS[0], IDS[1]] })))).toEqual([]);
  expect(about(check(givenPlan([givenStep(1)], { source_findings: [] })))).toEqual([]);
  expect(check(givenPlan()).parsed?.sourceFindings).toEqual([]);
});
