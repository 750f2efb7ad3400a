import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evolve } from '../../../daemon/core/evolve/evolve.ts';
import { replay } from '../../../daemon/core/replay.ts';
import { boundWorktree } from '../../../daemon/core/run/worktreeState.ts';
import { rowsOf } from '../../../daemon/store/projection/projection.ts';
import { joinTemplates, whyNotJoined } from '../../../schemas/definitions/joinTemplates.ts';
import { gatesOf, Template } from '../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { continues, shipped } from './support/continues.ts';
import {
  approve,
  bound,
  commandOk,
  committed,
  done,
  given,
  pause,
  type Story,
  stalls,
  started,
} from './support/given.ts';
import { message } from './support/messages.ts';
import { untilEnd } from './support/unattended.ts';

const ROLE = 'implementer';
const delivered = done('sendMessage');
const rests = stalls(ROLE, 'idle');
const DIRECT = shipped('direct@1');
const QUICK = shipped('quick-change@2');
const atWork = () => given({ template: DIRECT, extra: { finish: [['npm', 'test']] } }, bound, started, delivered);
const atGate = () => atWork().on(rests, { type: 'finish', now: false }, committed, commandOk);
const phasesOf = ({ run }: Story) => run.phases.map(({ key, state }) => `${key} ${state}`);

describe('another template at the gate of the work', () => {
  it('is an approval of it, and the phases follow in one step', () => {
    const story = atGate()
      .to({ approvals: { changes_approved: 'pending' } })
      .on(continues(QUICK));
    expect(story.latest.map(({ type }) => type).slice(0, 3)).toEqual([
      'approval.resolved',
      'run.continued',
      'phase.completed',
    ]);
    expect(phasesOf(story)).toEqual([
      'direct completed',
      'finish completed',
      'implement running',
      'review pending',
      'verify pending',
    ]);
    expect(story.run.approvals[0]?.decision).toMatchObject({
      action: 'approve',
      comment: 'continued with quick-change@2',
    });
    expect(story.run).toMatchObject({
      templateId: expect.any(String),
      continued: { before: 'direct@1' },
      worktreeRoot: atGate().run.worktreeRoot,
    });
    expect(story.run.extra).toEqual({ finish: [['npm', 'test']], verify: [['npm', 'test']] });
  });

  it('goes on in the same conversation where the role is the same, and ends as the template says', () => {
    const story = atGate().on(continues(QUICK));
    story.decides('sendPrompt');
    expect(story.run.sessions).toHaveLength(1);
    const end = untilEnd(story).to({ run: 'completed' });
    expect(end.run.sessions.map(({ roleId }) => roleId)).toContain('reviewer');
    expect(end.run.sessions.filter(({ roleId, laneId }) => roleId === ROLE && laneId === 'main')).toHaveLength(1);
  });

  it('is refused with a new gate if the files changed since it opened', () => {
    const story = atGate();
    const [gate] = story.run.approvals;
    const worktree = boundWorktree(gate?.subject ?? {});
    const observed = { worktree: { ...worktree, head: 'moved' } as never, commits: ['moved'], lostArtifacts: [] };
    const asked = story.on(continues(QUICK, { observed }));
    expect(asked.latest.map(({ type }) => type)).toEqual(['approval.requested']);
    expect(asked.run.continued).toBeNull();
    expect(phasesOf(asked.on(continues(QUICK, { clientToken: 'continue 2' })))).toContain('implement running');
  });

  it('is recorded once for one request', () => {
    const once = atGate().on(continues(QUICK));
    expect(once.on(continues(QUICK)).latest).toEqual([]);
    once.refuses(continues(shipped('development@2'), { clientToken: 'another' }), 'state_conflict');
  });
});

describe('another template while the agent works', () => {
  it('finishes the work, and its check makes room', () => {
    const story = atWork().on(continues(QUICK)).records('direct.finished', 'run.continued').decides();
    const begun = story.on(rests).decides('commitWork').on(committed);
    expect(phasesOf(begun).slice(0, 3)).toEqual(['direct completed', 'finish skipped', 'implement running']);
    expect(begun.run.sessions).toHaveLength(1);
    untilEnd(begun).to({ run: 'completed' });
  });

  it('waits for messages first, or not if the person says now', () => {
    atWork().on(message(ROLE), continues(QUICK), rests).decides('sendMessage');
    atWork()
      .on(message(ROLE), continues(QUICK, { now: true }))
      .decides('commitWork');
  });

  it('follows also if the work was finished before', () => {
    const story = atWork().on({ type: 'finish', now: false }, continues(QUICK)).records('run.continued');
    expect(phasesOf(story.on(rests, committed)).slice(1, 3)).toEqual(['finish skipped', 'implement running']);
  });
});

describe('refused', () => {
  it.each<[string, Story]>([
    ['before its roles are bound', given({ template: DIRECT })],
    ['while it is paused', atWork().on(pause)],
    ['while its checks run', atWork().on(rests, { type: 'finish', now: false }, committed)],
    ['after its end', atGate().on(approve)],
    ['in a workflow', given({}, bound)],
  ])('is a run %s', (_, story) => {
    story.refuses(continues(QUICK), 'state_conflict');
  });

  it('is a template that cannot follow', () => {
    for (const ref of ['autodev-greenfield@1', 'template-factory@2', 'backtest-strategy@1', 'direct@1'])
      atGate().refuses(continues(shipped(ref)), 'usage');
  });
});

describe('the record', () => {
  it('folds to the same run, row for row, from any point', () => {
    const { run, events } = untilEnd(atGate().on(continues(QUICK)));
    expect(replay(events)).toEqual(run);
    const rows = rowsOf(run);
    expect(rows.runs[0]).toMatchObject({ template_id: run.templateId });
    expect(rows.run_phases.map((row) => row.phase_key)).toEqual(run.phases.map(({ key }) => key));
    expect(rows.run_bindings).toHaveLength(run.bindings.length);
    const [created] = events;
    expect(created && evolve(undefined, created).template).toEqual(DIRECT);
  });
});

const REFS = readdirSync(join(packageRoot(), 'schemas/templates')).map((name) => name.replace('.yaml', ''));

describe('templates that join', () => {
  it('make a valid template with all phases, roles and gates of both, or say why not', () => {
    const joining = REFS.filter((ref) => whyNotJoined(DIRECT, shipped(ref)) === undefined);
    expect(joining).toEqual([
      'development@1',
      'development@2',
      'parallel-development@1',
      'quick-change@1',
      'quick-change@2',
      'review@1',
    ]);
    for (const ref of joining) {
      const next = shipped(ref);
      const joined = Template.parse(joinTemplates(DIRECT, next));
      expect(joined.phases.map(({ key }) => key)).toEqual([...DIRECT.phases, ...next.phases].map(({ key }) => key));
      const gates = [DIRECT, next].flatMap((template) => template.phases.map((phase) => gatesOf(template, phase)));
      expect(joined.phases.map((phase) => gatesOf(joined, phase))).toEqual(gates);
      for (const { id, requiredCapabilities } of [...DIRECT.roles, ...next.roles])
        expect(joined.roles.find((role) => role.id === id)?.requiredCapabilities).toEqual(
          expect.arrayContaining(requiredCapabilities),
        );
    }
  });

  it('do not join after one that keeps a contract', () => {
    for (const ref of REFS.filter((each) => shipped(each).exchange || shipped(each).flow))
      expect(whyNotJoined({ ...shipped(ref), phases: DIRECT.phases }, shipped('quick-change@2'))).toMatch(
        /^The run keeps a/,
      );
  });

  it('can be walked to their end: each of them', () => {
    for (const ref of ['development@2', 'parallel-development@1', 'review@1'])
      untilEnd(atGate().on(continues(shipped(ref)))).to({ run: 'completed' });
  });
});
