import { describe, expect, it } from 'vitest';
import { COLUMNS as GATES } from '../../cli/commands/approval/look.ts';
import { COLUMNS as RUNS } from '../../cli/commands/run/list.ts';
import { COLUMNS as SESSIONS } from '../../cli/commands/session/list.ts';
import { formatTable } from '../../cli/print/output.ts';
import { stallText } from '../../cli/print/text.ts';
import { NO_SNAPSHOT, phaseLines } from '../../cli/run/progress.ts';
import {
  ApprovalState,
  GateKind,
  RunPhaseState,
  RunState,
  ShownSessionState,
  StallCause,
} from '../../schemas/enums.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { textOf } from '../../tui/text/line.ts';
import { gateWord, phaseWord, runWord } from '../../tui/text/runWords.ts';
import { sessionStateWord, stallWords } from '../../tui/text/sessionWords.ts';
import { scan } from './scan.ts';

/** Leaves out values that are common words. */
const COMMON = ['question', 'error', 'idle', 'hung'];
const VALUES = [RunState, RunPhaseState, ApprovalState, ShownSessionState, StallCause]
  .flatMap(({ options }): string[] => options)
  .filter((value) => !COMMON.includes(value));
/** A value of an enum with its own text: `awaiting_approval: 'waits'`, `['paused', 'it rests']`. */
const SECOND = new RegExp(String.raw`^\s*(\[?['"]?(${VALUES.join('|')})['"]?\s*[:,]\s*[['"\`])`, 'm');
/** A value of an enum in the middle of a sentence. */
const RAW = /\$\{[\w.?]*\b(?<!link\.)(?:[sS]tate|cause)\}/;

/** The files with text for people. Others use the enums: the core's tables, the store, the RPC. */
const SHOWN = scan(packageRoot(), [
  'cli',
  'tui',
  'daemon/statusLine',
  'daemon/report',
  'daemon/notify/notify.ts',
  'daemon/api',
]);

describe('there is no second vocabulary of states', () => {
  it.each([
    ['a table', SECOND],
    ['a sentence', RAW],
  ])('in %s', (_, pattern) => {
    expect(
      SHOWN.filter(({ text }) => pattern.test(text)).map(({ path, text }) => [path, pattern.exec(text)?.[0]]),
    ).toEqual([]);
  });
  it('and one would be found', () => {
    expect("  paused: 'it rests',").toMatch(SECOND);
    expect("  ['READY', 'it rests'],").toMatch(SECOND);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what is looked for.
    expect('`Run ${run.state}`').toMatch(RAW);
  });
});

const ID = '11111111-2222-4333-8444-555555555555';
const AT = '2026-01-01T00:00:00.000Z';
const WIDE = { color: false, columns: Number.POSITIVE_INFINITY, env: {} };

describe('the command line and the dashboard show the same word', () => {
  it.each(RunState.options)('for a run that is %s', (state) => {
    const run = {
      runId: ID,
      title: 'T',
      template: 't@1',
      repoPath: '/r',
      baseBranch: 'main',
      currentPhase: null,
      state,
    };
    const facts = {
      waitingFor: null,
      waitsForPerson: false,
      alsoWaitsFor: [],
      progress: { done: 0, total: 1 },
      createdAt: AT,
      endedAt: null,
    };
    expect(formatTable(WIDE, [{ ...run, ...facts }], RUNS)).toContain(`  ${wordOf(runWord({ ...run, ...facts }))}  `);
  });
  it.each(RunPhaseState.options.filter((state) => state !== 'pending'))('for a phase that is %s', (state) => {
    const run = { phases: [{ key: 'spec', state, attempts: 1 }] } as never;
    expect(phaseLines(NO_SNAPSHOT, run)).toEqual([`spec: ${wordOf(phaseWord(state))}`]);
  });
  it.each(GateKind.options.flatMap((kind) => ApprovalState.options.map((state) => [kind, state] as const)))(
    'for a gate of kind %s that is %s',
    (kind, state) => {
      const gate = {
        id: ID,
        runId: ID,
        runTitle: 'Title',
        gateKey: 'g',
        phaseKey: null,
        assignment: null,
        laneId: null,
        attempt: 1,
        createdAt: AT,
        resolvedAt: AT,
        kind,
        state,
      };
      expect(formatTable(WIDE, [gate], GATES)).toContain(`  ${wordOf(gateWord(gate))}  `);
    },
  );
  it.each(ShownSessionState.options)('for a session that is %s', (state) => {
    const session = {
      sessionId: ID,
      runId: ID,
      runTitle: 'Title',
      roleId: 'planner',
      laneId: 'main',
      backend: 'fake' as const,
      state,
      paneId: null,
      cwd: '/r',
      recoveryAttempts: 0,
      lastPromptAt: null,
      stall: null,
    };
    expect(formatTable(WIDE, [session], SESSIONS)).toContain(`  ${wordOf(sessionStateWord(state))}  `);
  });
  it.each(StallCause.options)('for an agent that is kept by %s', (cause) => {
    const stall = { cause, detail: '', until: null, since: AT };
    expect(stallText(stall)).toBe(stallWords(stall, 0));
  });
});

/** Without the sign, which only the dashboard shows. */
function wordOf(line: Parameters<typeof textOf>[0]): string {
  return textOf(line).replace(/^\S /, '');
}
