import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Model } from '../../../tui/model/model.ts';
import type { ApprovalsItem } from '../../../tui/screens/approvals/approvalsItems.ts';
import { APPROVALS_COLUMNS, approvalsHead, approvalsRow } from '../../../tui/screens/approvals/approvalsRow.ts';
import { RUNS_COLUMNS, runsHead, runsRow } from '../../../tui/screens/runs/runsRow.ts';
import { SESSIONS_COLUMNS, sessionsHead, sessionsRow } from '../../../tui/screens/sessions/sessionsRow.ts';
import { line, lineWidth, textOf } from '../../../tui/text/line.ts';
import {
  type ColumnWidth,
  columnWidths,
  givingWay,
  joinCells,
  sameColumns,
} from '../../../tui/widgets/columnWidths.ts';

const width = fc.record({
  min: fc.integer({ min: 1, max: 20 }),
  more: fc.nat(30),
  priority: fc.integer({ min: 1, max: 9 }),
  grows: fc.boolean(),
});
const table = fc
  .array(width, { minLength: 1, maxLength: 9 })
  .map((all): ColumnWidth[] =>
    all.map(({ min, more, priority, grows }) => ({ min, ideal: min + more, priority, ...(grows && { grows: true }) })),
  );

describe('columns', () => {
  it('get at least their minimum or nothing, fit, and the lowest priority is dropped first', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 21, max: 250 }), (columns, cells) => {
        const widths = columnWidths(columns, cells);
        const kept = columns.filter((_, at) => (widths[at] ?? 0) > 0);
        const gone = columns.filter((_, at) => widths[at] === 0);
        widths.forEach((given, at) => {
          if (given > 0) expect(given).toBeGreaterThanOrEqual(columns[at]?.min ?? 0);
          if (!columns[at]?.grows) expect(given).toBeLessThanOrEqual(columns[at]?.ideal ?? 0);
        });
        expect(widths.reduce((sum, each) => sum + each, 0) + kept.length - 1).toBeLessThanOrEqual(cells);
        for (const { priority } of gone)
          expect(priority).toBeLessThanOrEqual(Math.min(...kept.map((each) => each.priority)));
      }),
    );
  });

  it('that say the same in each row are dropped before another has less than its ideal width', () => {
    const list: ColumnWidth[] = [
      { min: 8, ideal: 8, priority: 3 },
      { min: 10, ideal: 30, priority: 2, grows: 40 },
      { min: 10, ideal: 20, priority: 4 },
    ];
    const rows = [
      ['a', 'one', 'same'],
      ['b', 'two', 'same'],
    ] as const;
    const texts = { 1: (row: (typeof rows)[number]) => row[1], 2: (row: (typeof rows)[number]) => row[2] };
    const same = sameColumns(rows, texts);
    expect([same, sameColumns(rows.slice(1), texts), sameColumns([], texts)]).toEqual(['2', '', '']);
    expect(columnWidths(givingWay(list, ''), 48)).toEqual([8, 18, 20]);
    expect(columnWidths(givingWay(list, same), 48)).toEqual([8, 39, 0]);
    expect(columnWidths(givingWay(list, same), 50)).toEqual([8, 30, 10]);
    expect(columnWidths(givingWay(list, same), 100)).toEqual([8, 40, 20]);
  });

  it('that are dropped leave no gap', () => {
    expect(textOf(joinCells([line('one'), line('two'), line('three')], [3, 0, 6]))).toBe('one three ');
  });
});

const FAR = {
  title: 'w'.repeat(72),
  repoPath: `/srv/${'r'.repeat(40)}`,
  template: 't'.repeat(40),
  runId: 'a1b2c3d4-1',
  currentPhase: 'implement',
};
const RUN = {
  ...FAR,
  state: 'awaiting_approval' as const,
  baseBranch: 'main',
  waitsForPerson: true,
  alsoWaitsFor: [],
  waitingFor: 'a decision at plan_approved (plan)',
  progress: { done: 1, total: 4 },
  createdAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
};
const SESSION = {
  sessionId: 'e5f60718-1',
  runId: FAR.runId,
  runTitle: FAR.title,
  roleId: 'implementer',
  laneId: 'main',
  backend: 'opencode' as const,
  state: 'BUSY' as const,
  paneId: '%1234',
  cwd: '/',
  recoveryAttempts: 0,
  lastPromptAt: RUN.createdAt,
  stall: null,
};
const plain = (title: string, shown = title) => shown;
const NOW = Date.parse(RUN.createdAt);
const widths = Array.from({ length: 191 }, (_, nth) => 60 + nth);

describe.each([
  ['runs', RUNS_COLUMNS, (cells: number) => runsHead(cells, plain), (cells: number) => runsRow(RUN, NOW, cells - 1)],
  [
    'sessions',
    SESSIONS_COLUMNS,
    (cells: number) => sessionsHead(cells, plain),
    (cells: number) => sessionsRow({ now: NOW } as Model, { session: SESSION, run: RUN }, cells - 1),
  ],
  [
    'gates',
    APPROVALS_COLUMNS,
    (cells: number) => approvalsHead(cells, { decided: false, head: plain, marks: '' }),
    undefined,
  ],
] as const)('the list of %s, from 60 to 250 columns', (_, columns, head, row) => {
  it('shows each title whole or not at all', () => {
    const titles = columns.map(({ title }) => (title === 'gate' ? 'waiting for you' : title));
    for (const cells of widths) {
      const text = textOf(head(cells));
      expect(lineWidth(head(cells))).toBeLessThanOrEqual(cells);
      // Each title is whole or not there: nothing but titles is in the head.
      const left = titles.reduce((rest, title) => rest.replace(title, ''), text);
      expect(`${cells}:${left.trim()}`).toBe(`${cells}:`);
      if (row) expect(lineWidth(row(cells))).toBeLessThanOrEqual(cells - 1);
    }
  });

  it('never loses a column when it gets wider', () => {
    let before = 0;
    for (const cells of widths) {
      const shown = textOf(head(cells))
        .trim()
        .split(/ {2,}| (?=\S)/).length;
      expect(shown).toBeGreaterThanOrEqual(before);
      before = shown;
    }
  });
});

it('shows the whole phase of a run and of a gate from 80 columns on', () => {
  const gate = {
    id: 'g',
    runId: FAR.runId,
    runTitle: FAR.title,
    gateKey: 'changes_approved',
    kind: 'gate',
    phaseKey: 'implement',
    attempt: 1,
  };
  const item = {
    kind: 'gate',
    gate: { ...gate, state: 'pending', createdAt: RUN.createdAt, resolvedAt: null },
    run: RUN,
  };
  for (const cells of widths.filter((all) => all >= 80)) {
    expect(`${cells} ${textOf(runsRow(RUN, NOW, cells - 1))}`).toContain(' 1/4 implement ');
    const row = approvalsRow({ now: NOW } as Model, item as unknown as ApprovalsItem, cells - 1, { isMarked: false });
    expect(`${cells} ${textOf(row)}`).toContain(' implement #1 ');
  }
});

it('shows the whole role of a session at every width', () => {
  for (const cells of widths) {
    expect(textOf(sessionsRow({ now: NOW } as Model, { session: SESSION, run: RUN }, cells - 1))).toContain(
      ' implementer ',
    );
  }
});

it('shows what a run waits for at every width', () => {
  for (const cells of widths) expect(textOf(runsRow(RUN, NOW, cells - 1))).toContain('plan_approv');
});
