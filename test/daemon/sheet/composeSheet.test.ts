import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evolve } from '../../../daemon/core/evolve/evolve.ts';
import type { Approval, Run } from '../../../daemon/core/run/state.ts';
import { settle } from '../../../daemon/core/settle.ts';
import { decidedSheets } from '../../../daemon/report/sheets.ts';
import { composeSheet, sheetArtifacts } from '../../../daemon/sheet/composeSheet.ts';
import { NO_FACTS } from '../../../daemon/sheet/sheetFacts.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { Sheet } from '../../../schemas/rpc/views/sheet.ts';
import { beginOf } from '../../../schemas/sheet/documentLine.ts';
import { sheetLines } from '../../../schemas/sheet/sheetLines.ts';

const HISTORIES = join(import.meta.dirname, '../../fixtures/histories');
const NAMES = readdirSync(HISTORIES).map((file) => file.replace(/\.json$/, ''));

function eventsOf(name: string): RunEvent[] {
  return JSON.parse(readFileSync(join(HISTORIES, `${name}.json`), 'utf8')).events;
}

interface Opened {
  run: Run;
  approval: Approval;
}

/** Each gate of a recorded run, as it was when it had just opened. */
function openedIn(events: readonly RunEvent[]): Opened[] {
  const opened: Opened[] = [];
  let run: Run | undefined;
  for (const event of events) {
    run = evolve(run, event);
    if (event.type !== 'approval.requested') continue;
    const now = settle(run);
    const approval = now.approvals.find(({ id }) => id === event.payload.approvalRequestId);
    if (approval) opened.push({ run: now, approval });
  }
  return opened;
}

/** What agents wrote, as far as it matters to a page: recorded runs have no files. */
function contentsOf({ run, approval }: Opened): Map<string, unknown> {
  return new Map(
    sheetArtifacts(run, approval).map(({ id, schema, roleId, data }) => [
      id,
      { ...(data as object), summary: `${roleId} wrote ${schema}.`, howToCheck: ['Run it.'], followUps: ['Docs.'] },
    ]),
  );
}

const sheetAt = (opened: Opened) =>
  composeSheet(opened.run, opened.approval, { ...NO_FACTS, contents: contentsOf(opened) });

describe.each(NAMES)('the sheets of the recorded run %s', (name) => {
  const events = eventsOf(name);

  test('say what each possible decision leads to, in short sentences', () => {
    for (const opened of openedIn(events)) {
      const { leadsTo, decides } = sheetAt(opened);
      expect(decides).not.toBe('');
      const possible = decidable(opened.approval, opened.run.state);
      if (possible.length > 0) expect(new Set(leadsTo.map(({ action }) => action))).toEqual(new Set(possible));
      for (const { sentence } of leadsTo) expect(longest(sentence)).toBeLessThanOrEqual(20);
    }
  });

  test('are as the schema says, and have no undefined value', () => {
    for (const opened of openedIn(events)) {
      const sheet = sheetAt(opened);
      expect(Sheet.parse(JSON.parse(JSON.stringify(sheet)))).toEqual(sheet);
      expect(JSON.stringify(sheetLines(sheet, []))).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  test('of the report do not change with what comes later', () => {
    const all = decidedSheets(events);
    for (const [nth, event] of events.entries()) {
      if (event.type !== 'approval.resolved') continue;
      const then = decidedSheets(events.slice(0, nth + 1)).at(-1);
      expect(all.find(({ approvalId }) => approvalId === then?.approvalId)).toEqual(then);
    }
  });
});

/** Words of the longest sentence. */
function longest(text: string): number {
  return Math.max(...text.split(/(?<=[.?!:;])\s+/).map((sentence) => sentence.split(/\s+/).length));
}

test.each([
  ['behaviour-7-happy', 'spec_approved'],
  ['behaviour-7-happy', 'plan_approved'],
  ['behaviour-7-happy', 'changes_approved'],
  ['behaviour-5-review', 'review_dispute'],
  ['behaviour-5-review', 'changes_approved'],
  ['behaviour-3-unconverged', 'review_unconverged'],
  ['behaviour-3-unconverged', 'changes_approved'],
  ['behaviour-7-lucky-loop', 'changes_approved'],
  ['behaviour-5-reopened-lane', 'parallel_dag_approved'],
  ['behaviour-5-reopened-lane', 'merge_failed'],
  ['behaviour-3-ended-lane', 'changes_approved'],
  ['behaviour-5-conflict', 'merge_conflict'],
  ['behaviour-7-set-up', 'setup_failed'],
  ['behaviour-4-turns', 'delivery_uncertain'],
  ['behaviour-4-turns', 'turn_ended'],
  ['behaviour-4-turns', 'recovery'],
  ['behaviour-7-silent-host', 'host_unreachable'],
  ['behaviour-7-boundary', 'session_boundary'],
  ['behaviour-6-pipeline', 'changes_approved'],
])('the page of %s at %s', (name, gateKey) => {
  const opened = openedIn(eventsOf(name)).findLast(({ approval }) => approval.gateKey === gateKey);
  if (!opened) throw new Error(`${name} has no gate ${gateKey}`);
  const documents = opened.run.artifacts.map(({ id }) => ({
    artifactId: id,
    content: '{"title":"…"}',
    truncated: false,
    errors: [],
  }));
  const lines = sheetLines(sheetAt(opened), documents).map((line) => `${beginOf(line)}${line.text}`.trimEnd());
  expect(`${lines.join('\n')}\n`).toMatchSnapshot();
});
