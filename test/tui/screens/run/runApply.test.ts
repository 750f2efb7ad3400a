import { describe, expect, test } from 'vitest';
import type { ApplyPlan } from '../../../../schemas/rpc/methods/runApply.ts';
import type { CallCommand, Model, Step } from '../../../../tui/model/model.ts';
import { query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { seen } from '../../given.ts';
import { detail, press, pressed, RUN, runKey, runsKey, SMALL, shows, summary } from './runFixtures.ts';

const PLAN: ApplyPlan = {
  runId: RUN,
  runState: 'completed',
  repoPath: '/home/ada/greeting',
  target: 'main',
  onto: '0123456789abcdef',
  head: 'fedcba9876543210',
  moved: null,
  does: 'fast_forward',
  sentence: 'Fast-forward main to fedcba987654.',
  commits: [{ commit: 'fedcba9876543210', subject: 'Implement' }],
  commitCount: 1,
  totals: { files: 2, insertions: 12, deletions: 4 },
  notes: ['main has 1 commit that the work does not have.'],
  blocked: null,
  lines: ["git -C '/home/ada/a b' merge devflow/1111/main"],
  applied: false,
  commit: null,
};

const ended = () => shows({ screen: 'run', id: RUN }, SMALL, [[runKey, detail({ state: 'completed' })]]);

/** The single call of a step, and the step after its answer. */
function answered({ model, commands }: Step, plan: Partial<ApplyPlan> = {}): { params: unknown } & Step {
  const [command] = commands as unknown as CallCommand<'run.apply'>[];
  expect(command?.method).toBe('run.apply');
  return {
    params: command?.params,
    ...(command as CallCommand<'run.apply'>).then(model, { ...PLAN, ...plan }),
  };
}
const press2 = (model: Model, ...keys: string[]) => pressed(press(model, ...keys.slice(0, -1)), keys.at(-1) ?? '');

describe('M on an ended run', () => {
  test('offers the ways to apply, asks, and applies what it showed', () => {
    const offered = answered(pressed(ended(), 'M'));
    expect(offered.params).toEqual({ runId: RUN, way: 'auto', dryRun: true });
    expect(seen(offered.model)).toMatch(/Apply run 11110000: 1 commit, 2 files, \+12 −4/);
    for (const way of ['fast-forward', 'merge commit', 'squash', 'new branch', 'by hand'])
      expect(seen(offered.model)).toContain(way);
    const asked = answered(pressed(offered.model, 'enter'));
    expect(seen(asked.model)).toMatch(
      /Fast-forward main to fedcba987654\.[\s\S]*In \/home\/ada\/greeting[\s\S]*y apply/,
    );
    expect(seen(asked.model)).toContain('main has 1 commit that the work does not have.');
    expect(pressed(asked.model, 'enter').commands).toEqual([]);
    const applied = answered(pressed(asked.model, 'y'), { applied: true, commit: 'fedcba9876543210' });
    const agreed = { target: 'main', onto: PLAN.onto, head: PLAN.head };
    expect(applied.params).toEqual({ runId: RUN, way: 'auto', agreed });
    expect(applied.model.toasts.at(-1)?.text).toBe('main is now at fedcba987654.');
  });

  test('shows commits that came after the approval, and names the commit that the person saw', () => {
    const commits = [{ commit: PLAN.head, subject: 'Slip in' }];
    const approved = { approved: '00aa11bb22cc33dd', source: 'gate' as const };
    const moved = { ...approved, head: PLAN.head, hasApproved: true, commits, commitCount: 1 };
    const offered = answered(pressed(ended(), 'M'), { moved });
    const asked = answered(pressed(offered.model, 'enter'), { moved });
    expect(seen(asked.model)).toMatch(
      /Apply also the 1 commit after the[\s\S]*After the approved commit 00aa11bb22cc:[\s\S]*fedcba987654 Slip in/,
    );
    const applied = answered(pressed(asked.model, 'y'));
    expect(applied.params).toMatchObject({ way: 'auto', head: PLAN.head, agreed: { head: PLAN.head } });
    const back = answered(pressed(offered.model, 'enter'), { moved: { ...moved, hasApproved: false } });
    expect(seen(back.model)).toContain('The branch no longer has the approved commit 00aa11bb22cc.');
  });

  test('asks for the name of a new branch', () => {
    const offered = answered(pressed(ended(), 'M')).model;
    const named = answered(press2(press(offered, ...'new b', 'enter'), ...'greet', 'enter'));
    expect(named.params).toEqual({ runId: RUN, way: 'branch', branch: 'greet', dryRun: true });
  });

  test('offers only a new branch and the commands if the branch cannot take the changes', () => {
    const blocked = {
      code: 'apply_conflict',
      message: 'It conflicts: a.txt.',
      hint: 'Merge by hand: devflow run apply --print shows the commands. Or use --branch <name>.',
      files: ['a.txt'],
    };
    const offered = answered(pressed(ended(), 'M'), { blocked }).model;
    expect(offered.toasts.at(-1)?.text).toBe(
      'It conflicts: a.txt. Merge by hand: “by hand” shows the commands. Or use “new branch”.',
    );
    expect(seen(offered)).toContain('Run 11110000 cannot be applied now');
    expect(seen(offered)).not.toContain('squash');
    const shown = press(offered, ...'by hand', 'enter');
    expect(seen(shown)).toContain("git -C '/home/ada/a b' merge devflow/1111/main");
    expect(press(shown, 'x').overlay).toBeUndefined();
  });

  test('says that there is nothing to apply, which the daemon records, or that the run has not ended', () => {
    const nothing = { does: 'nothing', sentence: 'Nothing to apply: main has it.' } as const;
    const found = answered(pressed(ended(), 'M'), nothing);
    expect(found.params).toMatchObject({ runId: RUN, dryRun: true });
    const said = answered(found, nothing);
    expect(said.params).toMatchObject({ runId: RUN, agreed: { target: PLAN.target, head: PLAN.head } });
    expect(said.params).not.toHaveProperty('dryRun');
    expect([said.model.overlay, said.model.toasts.at(-1)?.text]).toEqual([undefined, 'Nothing to apply: main has it.']);
    const open = shows({ screen: 'run', id: RUN }, SMALL, [[runKey, detail()]]);
    expect(press(open, 'M').toasts.at(-1)?.text).toMatch(/the run has not ended/);
  });

  test.each(['completed', 'failed', 'executing'] as const)('says that a %s review has nothing to apply', (state) => {
    const run = detail({ state, onlyReviews: true });
    const { commands, model } = pressed(shows({ screen: 'run', id: RUN }, SMALL, [[runKey, run]]), 'M');
    expect([commands, model.toasts.at(-1)?.text]).toEqual([
      [],
      'apply: the run only reviews, so there is nothing to apply.',
    ]);
  });
});

describe('D', () => {
  const diff = {
    runId: RUN,
    branch: 'devflow/1111/main',
    base: 'a',
    head: 'b',
    stat: '',
    truncated: false,
    uncommittedFiles: 2,
    totals: { files: 1, insertions: 1, deletions: 0 },
    files: [{ path: 'a\u001b.txt', insertions: 1, deletions: 0 }],
    patch: `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+\u001b[31m${'long '.repeat(30)}end\n`,
  };
  const answers = [
    [runKey, detail()],
    [runsKey, [summary({ runId: RUN })]],
    [query('run.diff', { runId: RUN }).key, diff],
  ] as const;

  test('shows the changes of the selected run, and counts uncommitted files', () => {
    const shown = press(shows({ screen: 'runs' }, SMALL, answers), 'D');
    expect(shown.place).toEqual({ screen: 'run', id: RUN });
    expect(seen(shown)).toContain('[Changes]');
    expect(seen(shown)).toContain('2 files in the worktree are not committed, and so not in these changes.');
    expect(seen(shown)).toContain('a␛.txt');
    expect(seen(shown)).toContain('+␛[31mlong long');
  });

  test('scrolls long lines sideways', () => {
    const shown = press(shows({ screen: 'run', id: RUN }, SMALL, answers), 'D');
    expect(seen(shown)).not.toContain('end');
    expect(seen(press(shown, '>', '>', '>', '>', '>', '>'))).toContain('long end');
    expect(
      screenOf(shown)
        .queries(shown)
        .map(({ method }) => method),
    ).toEqual(['run.get', 'run.diff']);
  });
});
