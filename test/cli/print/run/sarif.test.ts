import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sarifLog } from '../../../../cli/print/run/sarif.ts';
import { FindingCategory, FindingSeverity, FindingState } from '../../../../schemas/enums.ts';
import { givenComment } from '../../../helpers/givenComment.ts';
import { FINDINGS, givenFinding } from '../../../helpers/givenFinding.ts';

/** The schema is written for draft 4. All that it uses means the same in draft 7, but for the name of its id. */
const {
  id: _,
  $schema: __,
  ...schema
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/sarif/sarif-schema-2.1.0.json'), 'utf8'));
const ajv = new Ajv({ strict: false });
ajvFormats.default(ajv);
const validate = ajv.compile(schema);
const faults = (log: unknown) => (validate(JSON.parse(JSON.stringify(log))) ? [] : validate.errors);
const resultsOf = (...findings: Parameters<typeof sarifLog>[0]) => sarifLog(findings).runs[0]?.results ?? [];

test('is valid against the schema of SARIF 2.1.0', () => {
  expect(faults(sarifLog(FINDINGS))).toEqual([]);
  expect(faults(sarifLog([]))).toEqual([]);
  expect(faults({ ...sarifLog([]), version: '1' })).not.toEqual([]);
});

test('is valid for any finding', () => {
  const text = fc.string({ unit: 'binary' });
  const finding = fc.record({
    path: fc.string({ unit: fc.constantFrom('a', '/', ' ', ':', '%', '#', '?', '[', 'é', '\n', '\ud800') }),
    summary: text,
    failure: text,
    quote: text,
    state: fc.constantFrom(...FindingState.options),
    severity: fc.constantFrom(...FindingSeverity.options),
    category: fc.constantFrom(...FindingCategory.options),
    duplicateOf: fc.option(text),
  });
  fc.assert(
    fc.property(fc.array(finding), (all) => {
      expect(faults(sarifLog(all.map(givenFinding)))).toEqual([]);
    }),
  );
});

test('describes a finding with its place, rule and fingerprint', () => {
  expect(sarifLog([givenFinding({ path: 'docs/a b#1.md' })]).runs[0]).toMatchInlineSnapshot(`
    {
      "columnKind": "unicodeCodePoints",
      "results": [
        {
          "level": "error",
          "locations": [
            {
              "logicalLocations": [
                {
                  "name": "greet",
                },
              ],
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "docs/a%20b%231.md",
                },
                "region": {
                  "endLine": 13,
                  "snippet": {
                    "text": "return 'Hello, ' + name;",
                  },
                  "startLine": 12,
                },
              },
            },
          ],
          "message": {
            "text": "An empty name gives a greeting without a name

    greet('') returns 'Hello, '.",
          },
          "partialFingerprints": {
            "devflow/v2": "f1",
          },
          "properties": {
            "blocksTheChange": true,
            "evidence": [
              "test/greet.test.ts has no case for it.",
            ],
            "reporters": [
              {
                "backend": "claude",
                "roleId": "reviewer#0",
                "round": 1,
              },
              {
                "backend": "codex",
                "roleId": "reviewer#1",
                "round": 1,
              },
            ],
            "severity": "high",
            "state": "confirmed",
          },
          "ruleId": "correctness",
          "ruleIndex": 0,
          "suppressions": [],
        },
      ],
      "tool": {
        "driver": {
          "name": "devflow",
          "rules": [
            {
              "id": "correctness",
              "shortDescription": {
                "text": "The code does something else than it should.",
              },
            },
          ],
        },
      },
    }
  `);
});

test.each([
  ['critical', 'error'],
  ['high', 'error'],
  ['medium', 'warning'],
  ['low', 'note'],
  ['info', 'note'],
] as const)('a finding that is %s has the level %s', (severity, level) => {
  expect(resultsOf(givenFinding({ severity }))).toMatchObject([{ level }]);
});

test('suppresses what is closed and says why; leaves out what is fixed', () => {
  const history = [{ round: 2, what: 'accepted' as const, by: 'person', note: 'We ship without it.' }];
  const accepted = givenFinding({ findingId: 'accepted', state: 'accepted', isBlocker: false, history });
  const found = resultsOf(...FINDINGS, accepted);
  const suppressed = found.flatMap(({ partialFingerprints, suppressions }) =>
    suppressions.map(({ kind, justification }) => [partialFingerprints['devflow/v2'], kind, justification]),
  );
  expect(suppressed).toEqual([
    ['accepted', 'external', 'We ship without it.'],
    ['rejected', 'external', 'Nothing checks the name before line 12.'],
    ['duplicate', 'external', 'Duplicate of blocker. Nothing checks the name before line 12.'],
  ]);
  expect(found.map(({ partialFingerprints }) => partialFingerprints['devflow/v2'])).not.toContain('fixed');
});

test('has one rule for each category that occurs', () => {
  const [run] = sarifLog(FINDINGS).runs;
  expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(['correctness', 'security']);
  for (const { ruleId, ruleIndex } of run?.results ?? []) expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
});

test('gives a removed line no place in the file that is there', () => {
  const [result] = resultsOf(givenFinding({ removed: { path: 'old.ts', line: 3 }, quote: 'old' }));
  expect(result?.locations[0]?.physicalLocation).not.toHaveProperty('region');
  expect(result?.properties).toMatchObject({ removed: { path: 'old.ts', line: 3, text: 'old' } });
});

test('has the comments of people beside the findings, and those that are answered as closed', () => {
  const open = givenComment({ id: 'c2', path: null, line: null, endLine: null, state: 'open', answers: [], now: null });
  const lost = { path: 'src/greet.ts', line: null, endLine: null, as: 'outdated' as const };
  const log = sarifLog(FINDINGS, [givenComment(), open, givenComment({ id: 'c3', now: lost })]);
  expect(faults(log)).toEqual([]);
  const { results = [], tool } = log.runs[0] ?? {};
  const comments = results.filter(({ ruleId }) => ruleId === 'comment');
  expect(comments).toMatchObject([
    {
      ...{ kind: 'review', level: 'none', message: { text: 'Refuse blanks, too.' } },
      locations: [{ physicalLocation: { region: { startLine: 11, endLine: 13 } } }],
      suppressions: [{ justification: 'implementer: fixed: Blanks are refused.' }],
    },
    { locations: [], suppressions: [] },
    { locations: [{ physicalLocation: { artifactLocation: { uri: 'src/greet.ts' } } }] },
  ]);
  expect(comments[2]?.locations[0]?.physicalLocation).not.toHaveProperty('region');
  for (const { ruleId, ruleIndex } of results) expect(tool?.driver.rules[ruleIndex]?.id).toBe(ruleId);
});

test('names no rule for comments where nobody commented', () => {
  expect(sarifLog([]).runs[0]?.tool.driver.rules).toEqual([]);
});
