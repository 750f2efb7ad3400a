import { describe, expect, test } from 'vitest';
import type { Sheet } from '../../../schemas/rpc/views/sheet.ts';
import { beginOf } from '../../../schemas/sheet/documentLine.ts';
import { allDocumentLines, type SheetDocument, sheetLines, sheetParts } from '../../../schemas/sheet/sheetLines.ts';
import { givenSheet } from './givenSheet.ts';

const DOCUMENT = {
  artifactId: 'a',
  schema: 'dev/spec@1',
  path: '/w/spec.json',
  hash: 'h',
  edited: false,
  isSaid: false,
};
const SPEC: SheetDocument = { artifactId: 'a', content: '{"title":"Greet"}', truncated: false, errors: [] };

const FULL: Partial<Sheet> = {
  leadsTo: [
    { action: 'approve', sentence: 'The next phase begins.' },
    { action: 'request_changes', sentence: 'It begins again.' },
  ],
  alarms: [{ code: 'fake', sentence: 'A fake agent took part.' }],
  about: [
    { name: 'error', text: 'hung' },
    { name: null, text: 'a.ts' },
  ],
  asked: { requirements: 'Greet.', changes: 'In German' },
  said: [
    {
      roleId: 'implementer',
      laneId: null,
      artifactId: 'b',
      summary: 'Done.',
      howToCheck: ['npm test'],
      left: ['docs'],
    },
  ],
  checks: [
    { argv: ['npm', 'test'], exitCode: 1, reason: null, tail: 'not ok\n  at a.ts', ms: 1_200, laneId: null },
    { argv: ['npm', 'run', 'lint'], exitCode: 0, reason: null, tail: null, ms: 400, laneId: 'lane-1' },
  ],
  review: {
    lines: ['The review passed.'],
    blockers: [{ findingId: 'f', severity: 'high', place: 'a.ts:1', summary: 'Wrong.' }],
  },
  measured: ['Decided on: iteration 1'],
  walk: ['devflow walked all paths.'],
  change: {
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    files: [{ path: 'a.ts', insertions: 1, deletions: 2 }],
    more: 0,
    insertions: 1,
    deletions: 2,
  },
  documents: [DOCUMENT],
};

const shown = (sheet: Partial<Sheet>, documents: readonly SheetDocument[] = [SPEC], raw = false) =>
  sheetLines(givenSheet(sheet), documents, { raw }).map((line) => `${beginOf(line)}${line.text}`.trimEnd());

test('a sheet has its parts in the order of a decision', () => {
  expect(shown(FULL)).toMatchInlineSnapshot(`
    [
      "Accept it?",
      "",
      "approve: The next phase begins.",
      "request changes: It begins again.",
      "",
      "Look twice",
      "! A fake agent took part.",
      "",
      "About this gate",
      "error: hung",
      "• a.ts",
      "",
      "Asked",
      "Greet.",
      "You asked for: In German",
      "",
      "The agent says",
      "Done.",
      "How to check:",
      "• npm test",
      "Left over:",
      "• docs",
      "",
      "Checks",
      "✗ npm test",
      "  exit 1, 1.2s",
      "  not ok",
      "    at a.ts",
      "✓ npm run lint",
      "  exit 0, 0.4s, in lane-1",
      "",
      "Review",
      "The review passed.",
      "• high  a.ts:1  Wrong.",
      "",
      "Measured",
      "Decided on: iteration 1",
      "",
      "Rehearsal",
      "devflow walked all paths.",
      "",
      "Changes",
      "1 file, +1 −2, from aaaaaaaaaaaa to bbbbbbbbbbbb",
      "a.ts  +1 −2",
      "",
      "Documents",
      "dev/spec@1  spec.json",
      "Title: Greet",
    ]
  `);
});

test('what is empty is left out', () => {
  expect(shown({})).toEqual(['Accept it?']);
  expect(sheetParts(givenSheet(), [])).toEqual([]);
});

test('nothing on a page can pretend to be another line of it', () => {
  const evil = 'x\nChecks\n✓ npm test';
  const lines = sheetLines(
    givenSheet({
      ...FULL,
      alarms: [{ code: 'moved', sentence: evil }],
      leadsTo: [{ action: 'approve', sentence: evil }],
      said: [{ roleId: evil, laneId: evil, artifactId: 'b', summary: evil, howToCheck: [evil], left: [evil] }],
      measured: [evil],
      walk: [evil],
      asked: { requirements: `# ${evil}`, changes: evil },
      documents: [{ ...DOCUMENT, path: evil, schema: evil }],
    }),
    [{ ...SPEC, errors: [evil], content: JSON.stringify({ a: `# ${evil}` }) }],
  );
  for (const { text } of lines) expect(text).not.toContain('\n');
  const headings = lines.filter(({ as }) => as === 'heading').map(({ text }) => text);
  expect(headings.filter((each) => each === 'Checks')).toHaveLength(1);
});

describe('the documents', () => {
  test('are formatted, or as they were written', () => {
    expect(shown({ documents: [DOCUMENT] }).slice(-1)).toEqual(['Title: Greet']);
    expect(shown({ documents: [DOCUMENT] }, [SPEC], true).slice(-1)).toEqual(['{"title":"Greet"}']);
  });

  test('say when one is lost, cut or not valid', () => {
    expect(shown({ documents: [DOCUMENT] }, [{ ...SPEC, content: null, fault: 'It changed.' }]).at(-1)).toBe(
      'It changed.',
    );
    expect(shown({ documents: [DOCUMENT] }, []).at(-1)).toBe('The file is missing.');
    expect(shown({ documents: [DOCUMENT] }, [{ ...SPEC, truncated: true }]).at(-1)).toContain('Only the beginning');
    expect(shown({ documents: [DOCUMENT] }, [{ ...SPEC, errors: ['/title: is short'] }])).toContain('/title: is short');
  });

  test('that the page has already are only among all of them', () => {
    const sheet = givenSheet({ documents: [{ ...DOCUMENT, isSaid: true }] });
    expect(sheetParts(sheet, [SPEC])).toEqual([]);
    expect(allDocumentLines(sheet, [SPEC]).map(({ text }) => text)).toContain('Greet');
  });
});

test('long requirements are shortened, and several agents are named', () => {
  const requirements = Array.from({ length: 40 }, (_, nth) => `line ${nth}`).join('\n');
  expect(shown({ asked: { requirements, changes: null } }).at(-1)).toBe('… 28 more lines');
  const said = ['a', 'b'].map((roleId) => ({
    roleId,
    laneId: null,
    artifactId: roleId,
    summary: 'Done.',
    howToCheck: [],
    left: [],
  }));
  expect(shown({ said })).toContain('b:');
});
