import { describe, expect, test } from 'vitest';
import type { PublishedHandover, RunDetail } from '../../../../schemas/rpc/views/run.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { lineWidth } from '../../../../tui/text/line.ts';
import { seen } from '../../given.ts';
import { detail, LARGE, press, pressed, RUN, runKey, SMALL, shows, text } from './runFixtures.ts';

const handover = (more: Partial<PublishedHandover> = {}): PublishedHandover => ({
  phaseKey: 'plan',
  contract: 'handover/plan@1',
  path: '.claude/projects/2026-03-01-greet/plan.md',
  sha256: 'ab'.repeat(32),
  state: 'published',
  warnings: [],
  ...more,
});
const WARNING = { path: 'research/a.md', message: 'the confidence is missing', code: 'RESEARCH_CONFIDENCE', line: 4 };
const brief = { phaseKey: 'brief', contract: 'handover/brief@1', path: '.claude/projects/2026-03-01-greet/brief.md' };
const HANDOVERS = [
  handover(brief),
  handover({
    phaseKey: 'research',
    contract: 'handover/research@1',
    path: 'research/a.md',
    warnings: [WARNING, WARNING],
  }),
  handover({ state: 'drifted' }),
];
const [file] = detail().artifacts as [RunDetail['artifacts'][number]];
const INVALID: RunDetail['artifacts'][number] = {
  ...file,
  artifactId: 'bad',
  phaseKey: 'review',
  schema: 'handover/review@1',
  path: '/w/.devflow/artifacts/review/1/review.md',
  errors: [{ path: '', message: 'the verdict is missing' }],
};

const screen = (run: Partial<RunDetail> = { handovers: HANDOVERS, artifacts: [INVALID] }, size = SMALL) =>
  press(shows({ screen: 'run', id: RUN }, size, [[runKey, detail(run)]]), 'tab');
const rows = (model: ReturnType<typeof screen>) => text(model).slice(4);

test('lists handovers at 80x24 with their verdict and first finding', () => {
  expect(rows(screen())).toMatchInlineSnapshot(`
    [
      "▌✓ valid    brief    handover/brief@1           .claude/projects/2026-03-01-gre…",
      " ! warnings research handover/research@1        research/a.md:4: the confidence…",
      " ✗ drifted  plan     handover/plan@1            .claude/projects/2026-03-01-gre…",
      " ✗ invalid  review   handover/review@1          review.md: the verdict is missi…",
    ]
  `);
});

test('lists handovers at 200x60', () => {
  expect(rows(screen(undefined, LARGE))).toMatchInlineSnapshot(`
    [
      "▌✓ valid    brief          handover/brief@1           .claude/projects/2026-03-01-greet/brief.md",
      " ! warnings research       handover/research@1        research/a.md:4: the confidence is missing [RESEARCH_CONFIDENCE] (+1)",
      " ✗ drifted  plan           handover/plan@1            .claude/projects/2026-03-01-greet/plan.md",
      " ✗ invalid  review         handover/review@1          review.md: the verdict is missing",
    ]
  `);
});

test('a run that publishes nothing has no such section', () => {
  expect(text(screen({})).join('\n')).not.toContain('Handovers');
});

test('says so before the first one is published', () => {
  expect(rows(screen({ handovers: [] })).join('\n')).toContain('No handovers yet.');
});

test('an invalid file that a later one of its phase replaced is not listed', () => {
  const later = { ...INVALID, artifactId: 'good', valid: true, errors: [] };
  expect(rows(screen({ handovers: [], artifacts: [INVALID, later] })).join('\n')).toContain('No handovers yet.');
});

describe('a handover in full', () => {
  test('has every finding by line', () => {
    expect(rows(press(screen(), 'j', 'enter'))).toMatchInlineSnapshot(`
      [
        " Handover   Esc closes",
        " verdict     ! warnings  the files are valid, with warnings",
        " contract    handover/research@1",
        " phase       research",
        " file        research/a.md",
        " SHA-256     abababababababababababababababababababababababababababababababab",
        "",
        " research/a.md:4: the confidence is missing [RESEARCH_CONFIDENCE]",
        " research/a.md:4: the confidence is missing [RESEARCH_CONFIDENCE]",
      ]
    `);
  });

  test('says so if it has none', () => {
    expect(rows(press(screen(), 'enter')).join('\n')).toContain('No findings.');
  });

  test('says so if the run no longer has it', () => {
    const opened = press(screen(), 'enter');
    const data = new Map([...opened.data, [runKey, { value: detail({ handovers: [] }) }]]);
    expect(text({ ...opened, data }).join('\n')).toContain('The run no longer has this item.');
  });

  test.each([[[]], [['enter']]])('o offers its file in the worktree, after %j', (keys) => {
    const path = '.claude/projects/2026-03-01-greet/brief.md';
    const asked = press(screen(), ...keys, 'o');
    expect(seen(asked)).toContain('brief.md');
    const root = '/home/ada/.devflow/worktrees/1111';
    expect(pressed(asked, 'enter').commands).toMatchObject([{ type: 'open', path: `${root}/${path}`, root }]);
  });
});

test('hostile text of an agent stays in its row, at every width', () => {
  const evil = 'x\n\u001b[2J\u202e日本 '.repeat(20);
  const hostile = handover({
    phaseKey: evil,
    path: evil,
    warnings: [{ path: evil, message: evil, code: evil, line: 1 }],
  });
  for (const columns of [40, 60, 80, 120, 200]) {
    for (const keys of [[], ['enter']]) {
      const model = press(screen({ handovers: [hostile] }, { columns, rows: 24 }), ...keys);
      const lines = screenOf(model).view(model, { columns, rows: 22 });
      expect(lines.length).toBeLessThanOrEqual(22);
      for (const each of lines) expect(lineWidth(each)).toBeLessThanOrEqual(columns);
      for (const sign of ['\u001b', '\u202e']) expect(text(model).join('\n')).not.toContain(sign);
    }
  }
});
