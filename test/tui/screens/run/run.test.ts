import { describe, expect, test } from 'vitest';
import type { EventView, RunDetail } from '../../../../schemas/rpc/views/run.ts';
import type { Model } from '../../../../tui/model/model.ts';
import { query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { lineWidth } from '../../../../tui/text/line.ts';
import {
  afterEvents,
  artifactKey,
  at,
  CONTENT,
  detail,
  event,
  GATE,
  LARGE,
  press,
  pressed,
  RUN,
  reportKey,
  runKey,
  SESSION,
  SMALL,
  shows,
  text,
} from './runFixtures.ts';

const REPORT = {
  markdown: '# It went well\n\n| check | took |\n|---|--:|\n| 日本 | 2 s |\n',
  json: {},
  paths: null,
  runId: RUN,
};
const screen = (size = SMALL, given: Partial<RunDetail> = {}) =>
  shows({ screen: 'run', id: RUN }, size, [
    [runKey, detail(given)],
    [artifactKey, CONTENT],
    [reportKey, REPORT],
  ]);
const with3 = (size = SMALL) =>
  afterEvents(screen(size), {
    type: 'events',
    runId: RUN,
    events: [
      event(1),
      event(2),
      event(3, 'phase.failed', { code: 'hung', reason: '\u001b[2Jno progress', attempt: 1 }),
    ],
  });
const section = (model: Model, nth: number) => press(model, ...Array<string>(nth).fill('tab'));

describe('the view', () => {
  test('shortens a long repository path to leave room for the branches', () => {
    const repoPath = `/home/ada/${'long-name/'.repeat(12)}greeting`;
    const here = shows({ screen: 'run', id: RUN }, SMALL, [
      [query('run.get', { runId: RUN }).key, detail({ repoPath })],
    ]);
    expect(text(here)[1]).toMatch(/^ \/home\/…\/.*greeting {2}from main@01234567 {2}on devflow\/1111\/main$/);
  });

  test('shows the overview at 80x24', () => {
    expect(text(screen())).toMatchInlineSnapshot(`
      [
        " ? decision  11110000  Greet 世界 by name.  development@1               for 10m",
        " /home/ada/greeting  from main@01234567  on devflow/1111/main",
        " waiting for a decision at plan_approved (plan)",
        " [Overview]  Events 3   Artifacts 1   Commands 1   Changes   Report",
        " Waiting for you",
        "▌  ? decision       plan_approved (plan)  attempt 2  12:01:00",
        "",
        " Phases",
        "   spec      ✓ completed  1m 30s                 ✓ spec_approved",
        "   plan      ? decision   8m 30s   2 attempts    ? plan_approved",
        "",
        " Roles",
        "   planner   ○ ready     planner-claude@1 claude     may read; the first that f…",
        "",
        " Decided",
        "   ✓ approved       spec_approved (spec)  12:01:30",
        "",
        " Requirements",
        "   Requirements",
        "   ════════════",
        "",
        "   Greet 世界 by name.",
      ]
    `);
  });

  test('shows the overview at 200x60', () => {
    expect(text(screen(LARGE)).slice(0, 14)).toMatchInlineSnapshot(`
      [
        " ? decision  11110000  Greet 世界 by name.  development@1                                                                                                                                       for 10m",
        " /home/ada/greeting  from main@01234567  on devflow/1111/main",
        " waiting for a decision at plan_approved (plan)",
        " [Overview]  Events 3   Artifacts 1   Commands 1   Changes   Report",
        " Waiting for you",
        "▌  ? decision       plan_approved (plan)  attempt 2  12:01:00",
        "",
        " Phases",
        "   spec      ✓ completed  1m 30s               ─────                             The spec  ✓ spec_approved",
        "   plan      ? decision   8m 30s   2 attempts      ────────────────────────────  The plan  ? plan_approved",
        "",
        " Roles",
        "   planner   ○ ready     planner-claude@1 claude            may read; the first that fits",
        "",
      ]
    `);
  });

  test('shows events, artifacts, commands and the report at 80x24', () => {
    const below = (nth: number) => text(section(with3(), nth)).slice(3, 9);
    expect(below(1)).toMatchInlineSnapshot(`
      [
        "  Overview  [Events 3]  Artifacts 1   Commands 1   Changes   Report",
        " 3 of 3, following",
        " 12:00:01  session.busy            agent bbbb0000 works",
        " 12:00:02  session.busy            agent bbbb0000 works",
        "▌12:00:03  phase.failed            hung: ␛[2Jno progress",
      ]
    `);
    expect(below(2)).toMatchInlineSnapshot(`
      [
        "  Overview   Events 3  [Artifacts 1]  Commands 1   Changes   Report",
        "▌✗ invalid: 1 dev/phase-plan@1     plan #2     12:02:00       /steps must be ar…",
      ]
    `);
    expect(below(3)).toMatchInlineSnapshot(`
      [
        "  Overview   Events 3   Artifacts 1  [Commands 1]  Changes   Report",
        "▌✗ exit 1    2.0s     spec                 npm test",
      ]
    `);
    expect(below(5)).toMatchInlineSnapshot(`
      [
        "  Overview   Events 3   Artifacts 1   Commands 1   Changes  [Report]",
        " It went well",
        " ════════════",
        "",
        " check │ took",
        " ──────┼─────",
      ]
    `);
  });

  test('shows an agent that waits for a person, and why the run failed', () => {
    const [session] = detail().sessions;
    const stall = { cause: 'permission' as const, detail: 'run npm test', until: null, since: at(90) };
    const stalled = screen(SMALL, { sessions: session ? [{ ...session, stall }] : [] });
    expect(text(stalled).join('\n')).toContain('asks for permission: run npm test');
    const failed = screen(SMALL, {
      state: 'failed',
      reason: 'the check failed',
      waitingFor: null,
      waitsForPerson: false,
    });
    expect(text(failed)[2]).toBe(' the check failed');
  });

  test('shows everything that the run waits for', () => {
    const waits = screen(SMALL, {
      waitingFor: 'planner (claude) to write spec.json',
      waitsForPerson: false,
      alsoWaitsFor: ['a free agent slot (4 of 4 at work)'],
    });
    expect(text(waits).slice(2, 4)).toEqual([
      ' waiting for planner (claude) to write spec.json',
      ' also waiting for a free agent slot (4 of 4 at work)',
    ]);
  });

  test('shows the local time and time zone of an open event', () => {
    const opened = text(press(with3(), 'tab', 'enter')).join('\n');
    expect(opened).toMatch(/^ time +2026-05-04 1\d:\d\d:\d\d UTC[+-]\d\d:\d\d$/m);
  });

  test('fits every size in every section, with and without an open item', () => {
    for (const columns of [60, 80, 110, 200]) {
      for (const rows of [13, 22, 58]) {
        for (const keys of [[], ['tab'], ['tab', 'tab'], ['tab', 'tab', 'enter'], ['tab', 'tab', 'tab'], ['S-tab']]) {
          const model = press({ ...with3(), size: { columns, rows: rows + 2 } }, ...keys);
          const lines = screenOf(model).view(model, { columns, rows });
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
        }
      }
    }
  });

  test('says that the run does not exist', () => {
    const model = afterEvents(shows({ screen: 'run', id: RUN }, SMALL, []), {
      type: 'data',
      answers: [[runKey, { error: { code: 'not_found', message: 'There is no such run.' } }]],
    });
    expect(text(model)).toEqual([' There is no such run.']);
  });
});

describe('the sections', () => {
  test('Tab and ] show the next section, Shift-Tab and [ the previous one, in a circle', () => {
    const shown = (model: Model) => /\[(\w+)/.exec(text(model)[3] ?? '')?.[1];
    expect([0, 1, 2, 3, 4, 5, 6].map((nth) => shown(section(screen(), nth)))).toEqual([
      'Overview',
      'Events',
      'Artifacts',
      'Commands',
      'Changes',
      'Report',
      'Overview',
    ]);
    expect(shown(press(screen(), ']'))).toBe('Events');
    expect(shown(press(screen(), 'S-tab'))).toBe('Report');
    expect(shown(press(screen(), '['))).toBe('Report');
  });

  test('shows the sessions of an ended run as ended', () => {
    const all = (given: Partial<RunDetail>) => text(screen(SMALL, given)).join('\n');
    expect(all({})).not.toContain('· ended');
    const sessions = detail().sessions.map((session) => ({ ...session, state: 'ENDED' as const }));
    expect(all({ state: 'aborted', sessions })).toContain('· ended');
  });

  test('n goes to the next match in a text, and opens a new run elsewhere', () => {
    const found = press(section(screen(), 5), '/', ...'日本', 'enter', 'n');
    expect(text(found).join('\n')).toContain('/日本  1 of 1');
    expect(press(section(screen(), 2), 'n').place.screen).toBe('new');
    const opened = press(section(screen(), 2), 'enter', '/', ...'sha');
    expect(text(opened).join('\n')).toContain('/sha   1 of 1');
    const again = press(opened, 'escape', 'escape', 'enter');
    expect(text(again).join('\n')).not.toContain('/sha');
  });

  test('each section reads and follows only what it shows', () => {
    const model = screen();
    const commands = (now: Model) =>
      screenOf(now)
        .queries(now)
        .map(({ method }) => method);
    expect(commands(model)).toEqual(['run.get']);
    expect(screenOf(model).streams?.(model)).toEqual([]);
    const events = section(model, 1);
    expect(screenOf(events).streams?.(events)).toEqual([{ type: 'events', runId: RUN }]);
    expect(commands(section(model, 4))).toEqual(['run.get', 'run.diff']);
    expect(commands(section(model, 5))).toEqual(['run.get', 'run.report']);
    expect(commands(press(section(model, 2), 'enter'))).toEqual(['run.get', 'artifact.get']);
  });

  test('the overview opens gates, sessions and the newest artifact of a phase', () => {
    expect(press(screen(), 'enter').place).toEqual({ screen: 'approval', id: GATE });
    expect(press(screen(), 'j', 'j', 'j', 'enter').place).toEqual({ screen: 'session', id: SESSION });
    expect(text(press(screen(), 'j', 'j', 'enter'))[4]).toContain('Artifact');
    expect(press(screen(), 'j', 'enter').toasts.at(-1)?.text).toMatch(/nothing to open/);
  });

  test('an event opens as JSON without control characters, and Esc closes it', () => {
    const open = press(section(with3(), 1), 'enter');
    expect(text(open).join('\n')).toContain('"reason": "\\u001b[2Jno progress"');
    for (const key of ['escape', 'h', 'left', 'backspace'])
      expect(text(press(open, key))[4]).toBe(' 3 of 3, following');
  });

  test('an artifact opens formatted, and w shows it as written', () => {
    const open = press(section(screen(), 2), 'enter');
    const lines = text(open).join('\n');
    expect(lines).toContain('/steps  must be array');
    expect(lines).toMatch(/Title\s+The ␛\[31mplan/);
    expect(text(press(open, 'w')).join('\n')).toContain(String.raw`{"title":"The \u001b[31mplan"}`);
  });

  test('a command opens with one argument a line', () => {
    expect(text(press(section(screen(), 3), 'enter')).join('\n')).toMatch(/✗ exit 1[\s\S]*npm\n +test/);
  });
});

describe('the log', () => {
  const long = (count: number) => Array.from({ length: count }, (_, nth) => event(nth + 1));

  test('follows new events until a person goes up, and again after G', () => {
    const model = section(with3(), 1);
    const more = (now: Model, seq: number) => afterEvents(now, { type: 'events', runId: RUN, events: [event(seq)] });
    expect(text(more(model, 4))[4]).toBe(' 4 of 4, following');
    const stays = press(model, 'k');
    expect(text(more(stays, 4))[4]).toBe(' 2 of 4');
    expect(text(press(more(stays, 4), 'G'))[4]).toBe(' 4 of 4, following');
    expect(text(press(stays, 'g'))[4]).toBe(' 1 of 3');
    expect(text(press(stays, 'j'))[4]).toBe(' 3 of 3, following');
  });

  test('/ filters by sentence and type, also later events; Esc shows everything', () => {
    const found = press(section(with3(), 1), '/', 'h', 'u', 'n', 'g', 'enter');
    expect(text(found)[4]).toBe(' /hung  1 of 1 found, following');
    const later = { type: 'events' as const, runId: RUN, events: [event(4, 'session.failed', { code: 'hung' })] };
    expect(text(afterEvents(found, later))[4]).toBe(' /hung  2 of 2 found, following');
    expect(text(press(found, 'escape'))[4]).toBe(' 3 of 3, following');
    expect(text(press(section(with3(), 1), '/', 'z'))[5]).toMatch(/Nothing matches/);
  });

  test('reads only the visible ones of 100,000 events', () => {
    let looked = 0;
    const events = long(100_000).map((each): EventView => {
      const { payload } = each;
      const get = () => {
        looked += 1;
        return payload;
      };
      return Object.defineProperty(each, 'payload', { get });
    });
    const model = section(afterEvents(screen(), { type: 'events', runId: RUN, events }), 1);
    text(model);
    expect(looked).toBeGreaterThan(10);
    expect(looked).toBeLessThanOrEqual(SMALL.rows);
    for (const key of ['k', 'C-u', 'g', 'C-d', 'G']) {
      looked = 0;
      text(press(model, key));
      expect(looked).toBeLessThanOrEqual(SMALL.rows);
    }
  });

  test('a filter reads the log once; each letter and event adds only its own cost', () => {
    let looked = 0;
    const events = long(10_000).map((each, nth): EventView => {
      const payload = nth % 100 === 0 ? { sessionId: 'needle' } : each.payload;
      const get = () => {
        looked += 1;
        return payload;
      };
      return Object.defineProperty(each, 'payload', { get });
    });
    const typing = press(
      section(afterEvents(screen(), { type: 'events', runId: RUN, events }), 1),
      '/',
      'n',
      'e',
      'e',
      'd',
    );
    expect(text(typing)[4]).toContain(' 100 of 100 found, following');
    looked = 0;
    const narrower = press(typing, 'l');
    expect(text(narrower)[4]).toContain(' 100 of 100 found, following');
    expect(looked).toBeLessThanOrEqual(100 + SMALL.rows);
    looked = 0;
    text(afterEvents(narrower, { type: 'events', runId: RUN, events: [event(10_001)] }));
    expect(looked).toBeLessThanOrEqual(SMALL.rows);
  });
});

describe('the actions', () => {
  test('d opens the gate, s the session, A and V its pane', () => {
    expect(press(screen(), 'd').place).toEqual({ screen: 'approval', id: GATE });
    expect(press(screen(), 's').place).toEqual({ screen: 'session', id: SESSION });
    expect(pressed(screen(), 'A').commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: false }]);
    expect(pressed(screen(), 'V').commands).toMatchObject([{ readOnly: true }]);
  });

  test('p, r, F, X and C do what they do in the list', () => {
    expect(pressed(screen(), 'F').commands).toMatchObject([{ method: 'run.finish', params: { runId: RUN } }]);
    expect(pressed(screen(SMALL, { state: 'completed' }), 'F').commands).toEqual([]);
    expect(pressed(screen(), 'p').commands).toMatchObject([{ method: 'run.pause', params: { runId: RUN } }]);
    expect(pressed(screen(SMALL, { state: 'paused' }), 'r').commands).toMatchObject([{ method: 'run.resume' }]);
    expect(pressed(press(screen(), 'X', 'enter'), 'y').commands).toMatchObject([
      { method: 'run.abort', params: { runId: RUN } },
    ]);
    const ended = screen(SMALL, { state: 'completed' });
    expect(pressed(press(ended, 'C'), 'y').commands).toMatchObject([
      { method: 'run.cleanup', params: { force: false } },
    ]);
  });

  test('a cleanup that needs a decision opens its gate', () => {
    const [ask] = pressed(press(screen(SMALL, { state: 'completed' }), 'C'), 'y').commands;
    const { then } = ask as unknown as { then(model: Model, result: object): { model: Model } };
    const answer = { runId: RUN, removed: [], gone: [], kept: [{ path: '/w', reason: 'dirty' }], approvalId: GATE };
    expect(then(screen(), answer).model.place).toEqual({ screen: 'approval', id: GATE });
    const kept = then(screen(), { ...answer, approvalId: null }).model;
    expect(kept.toasts.at(-1)?.text).toBe('Kept /w: dirty');
    const gone = then(screen(), { ...answer, kept: [], gone: [{ path: '/w' }], approvalId: null }).model;
    expect(gone.toasts.at(-1)?.text).toBe('The worktrees were already removed.');
  });

  test('a disabled key says why', () => {
    const empty = screen(SMALL, { state: 'completed', approvals: [], sessions: [], artifacts: [] });
    const why = (id: string, model = empty) => {
      const binding = screenOf(model).bindings.find((each) => each.id === `run.${id}`);
      expect(binding, id).toBeDefined();
      return binding?.disabled?.(model);
    };
    expect(why('decide')).toBe('no gate waits for you');
    expect(why('session')).toBe('the run has no session yet');
    expect(why('attach')).toBe('no session is selected');
    expect(why('pause')).toBe('the run is completed');
    expect(why('filter')).toBe('this section does not support it');
    expect(why('as written')).toBe('no artifact is open');
    expect(why('open', section(empty, 2))).toBe('no artifact is selected');
    expect(why('open', section(empty, 5))).toBe('this section has nothing to open');
    expect(why('open', shows({ screen: 'run', id: RUN }, SMALL, []))).toBe('the run is not loaded yet');
  });

  test('the movement keys work in each section', () => {
    for (const nth of [0, 1, 2, 3, 4]) {
      const model = section(with3(), nth);
      for (const key of ['j', 'k', 'down', 'up', 'C-d', 'C-u', 'pagedown', 'pageup', 'g', 'G', 'home', 'end']) {
        expect(press(model, key).toasts).toEqual(model.toasts);
        expect(text(press(model, key)).length).toBeGreaterThan(4);
      }
    }
    expect(press(section(screen(), 1), '/').overlay).toBeUndefined();
  });

  test('a click selects, a second click opens, the wheel scrolls', () => {
    const click = (model: Model, row: number) => afterEvents(model, { type: 'mouse', action: 'click', row, column: 5 });
    const row = text(screen()).findIndex((each) => each.includes('planner-claude')) + 1;
    const selected = click(screen(), row);
    expect(selected.place.screen).toBe('run');
    expect(click(selected, row).place).toEqual({ screen: 'session', id: SESSION });
    const wheel = afterEvents(section(with3(), 1), { type: 'mouse', action: 'up', row: 10, column: 5 });
    expect(text(wheel)[4]).toBe(' 1 of 3');
  });
});
