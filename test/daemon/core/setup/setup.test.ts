import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf, EffectType } from '../../../../daemon/core/effect/effect.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import {
  abort,
  approve,
  bound,
  commandFails,
  commandOk,
  committed,
  decision,
  done,
  failed,
  given,
  pause,
  phaseDone,
  resume,
  type Story,
  sent,
  started,
  valid,
} from '../support/given.ts';
import { cloned, finished, GUESS, outdatedAt, placed, SETUP, setUp } from '../support/setup.ts';
import { goesWell, until, untilDue, untilEnd } from '../support/unattended.ts';

const due = (run: Run) => decide(run).map(({ type }) => type);
const effectOf = <T extends EffectType>(type: T, { run }: Story, which = 0): EffectOf<T> => {
  const found = decide(run).filter((effect): effect is EffectOf<T> => effect.type === type);
  return found[which] ?? expect.fail(`${type} is not due`);
};
const mainOf = ({ run }: Story) => run.lanes[0]?.setup;

const first = given({ setup: SETUP }, bound);

describe('before the first agent', () => {
  test('the worktree is set up, command by command', () => {
    first.decides('placeWorktree');
    const ready = first
      .on(placed)
      .records('worktree.placed', 'command.started')
      .decides('runCommand')
      .on(commandOk)
      .records('command.completed', 'command.started')
      .on(commandOk)
      .records('command.completed')
      .decides('finishSetup')
      .on(finished)
      .records('worktree.set_up')
      .decides('startSession');
    expect(mainOf(ready)).toMatchObject({ nth: 1, state: 'done', inputs: 'inputs 1', ports: { PORT: 4000 } });
  });

  test('what was cloned needs no command', () => {
    first.on(cloned).records('worktree.placed').decides('finishSetup').on(finished).decides('startSession');
  });

  test('the time of all steps counts', () => {
    // A second of placing, half a second of finishing, and each command takes the time between two events.
    expect(mainOf(first.on(...setUp))?.ms).toBe(1_000 + 500 + 2 * 2_000);
  });

  test('a run without a set-up goes on as before', () => {
    given({}, bound).decides('startSession');
  });

  test('it happens once, and not for each phase', () => {
    const later = first.on(...setUp, started, ...phaseDone, approve, ...phaseDone, approve).decides('startSession');
    expect(later.events.filter(({ type }) => type === 'worktree.placed')).toHaveLength(1);
  });
});

test('agents and commands get the environment of the worktree', () => {
  const here = {
    NODE_ENV: 'test',
    PORT: '4000',
    DEVFLOW_RUN: first.run.id,
    DEVFLOW_LANE: 'main',
    DEVFLOW_WORKTREE: first.run.worktreeRoot,
    DEVFLOW_CHECKOUT: '/repo',
  };
  expect(effectOf('runCommand', first.on(placed)).env).toEqual(here);
  expect(effectOf('startSession', first.on(...setUp)).session.env).toEqual(here);
  const plain = given({}, bound);
  expect(effectOf('startSession', plain).session.env).toBeUndefined();
});

test('commands and variables name the ports and the place', () => {
  const env = { URL: 'http://localhost:$PORT', PATH: '$DEVFLOW_WORKTREE/bin:$PATH' };
  const setup = { ...SETUP, commands: [{ argv: ['serve', '$PORT', 'on-$DEVFLOW_LANE', '$URL', '$HOME'] }], env };
  const at = given({ setup }, bound, placed);
  expect(effectOf('runCommand', at)).toMatchObject({
    argv: ['serve', '4000', 'on-main', 'http://localhost:4000', '$HOME'],
    // The program that starts the command knows the rest of the path.
    env: { URL: 'http://localhost:4000', PATH: `${at.run.worktreeRoot}/bin:$PATH` },
  });
});

test('a command of a phase has its own environment beside that of the worktree', () => {
  const at = given({ template: 'withoutPlan', setup: SETUP }, bound, ...setUp, started, ...phaseDone);
  expect(effectOf('runCommand', at)).toMatchObject({ kind: 'test', env: { PORT: '4000' } });
});

describe('a command of the settings that fails', () => {
  const asked = first.on(placed, commandFails);

  test('is put back first, and then a person is asked', () => {
    asked.records('command.failed').decides('finishSetup');
    const gate = asked.on(finished).records('worktree.set_up', 'approval.requested').decides();
    gate.to({ run: 'paused', approvals: { setup_failed: 'pending' } });
    expect(openGates(gate.run)[0]).toMatchObject({
      kind: 'recovery',
      laneId: 'main',
      subject: { code: 'setup_failed', argv: ['npm', 'ci'], exitCode: 1, nth: 1, why: 'npm ci: exit 1' },
    });
    expect(waitsFor(gate.run)).toMatchObject([{ party: 'person' }]);
  });

  test('begins again if they approve', () => {
    const again = asked.on(finished, approve).decides('placeWorktree');
    expect(effectOf('placeWorktree', again)).toMatchObject({ nth: 2, ports: { PORT: 4000 } });
    again.on(...setUp).decides('startSession');
  });

  test('asks again if it fails again', () => {
    const twice = asked.on(finished, approve, placed, commandFails, finished);
    expect(openGates(twice.run)).toHaveLength(1);
    expect(twice.run.approvals).toHaveLength(2);
    expect(openGates(twice.run)[0]?.subject).toMatchObject({ nth: 2 });
  });

  test('is done without if they reject', () => {
    const without = asked.on(finished, decision('reject')).records('approval.resolved', 'worktree.set_up');
    expect(mainOf(without)).toMatchObject({ state: 'without', ports: { PORT: 4000 } });
    expect(untilEnd(without).run.state).toBe('completed');
    expect(due(without.run)).toEqual(['startSession']);
  });

  test('takes no request for changes, because nobody would read it', () => {
    asked.on(finished).refuses(decision('request_changes', 'Use npm install.'), 'usage');
  });

  test('ends the run if they abort', () => {
    asked.on(finished, decision('abort')).to({ run: 'aborted' });
  });

  test('cannot start: that counts as a failure', () => {
    const cannot = first.on(placed, failed('runCommand', 'command_failed')).records('command.failed');
    cannot.on(finished).to({ approvals: { setup_failed: 'pending' } });
  });
});

describe('what devflow does itself', () => {
  test('fails like a command', () => {
    const full = first.on(failed('placeWorktree', 'disk_full')).records('worktree.set_up', 'approval.requested');
    expect(openGates(full.run)[0]?.subject).toMatchObject({ why: 'it was disk_full', nth: 1 });
    full
      .on(approve)
      .decides('placeWorktree')
      .on(...setUp)
      .decides('startSession');
  });

  test('fails at the end, too', () => {
    const late = first.on(cloned, failed('finishSetup', 'git_failed')).to({ approvals: { setup_failed: 'pending' } });
    expect(effectOf('placeWorktree', late.on(approve)).nth).toBe(2);
  });

  test('ends the run if that cannot go on', () => {
    first.on(failed('placeWorktree', 'internal_state_corruption')).to({ run: 'failed' });
  });
});

describe('a guess that fails', () => {
  const guessed = given({ setup: GUESS }, bound, placed, commandFails, finished);

  test('opens no gate, and the run goes on', () => {
    guessed.records('worktree.set_up').decides('startSession');
    expect(mainOf(guessed)).toMatchObject({ state: 'failed', reason: 'npm ci: exit 1' });
    expect(untilEnd(guessed).run.state).toBe('completed');
  });

  test('cannot clone anything: the run goes on, too', () => {
    const setup = { ...GUESS, copy: [], ports: [], clone: ['/node_modules'] };
    given({ setup }, bound, failed('placeWorktree', 'disk_full')).decides('startSession');
  });

  test.each([
    ['files', { copy: ['.env.local'], ports: [] }],
    ['links', { copy: [], link: ['models'], ports: [] }],
    ['ports', { copy: [], ports: ['PORT'] }],
  ])('asks a person where somebody named %s, which are not there', (_, named) => {
    const setup = { ...GUESS, ...named };
    const full = given({ setup }, bound, failed('placeWorktree', 'disk_full')).decides();
    full.to({ approvals: { setup_failed: 'pending' } });
    full.on(approve, placed, commandFails, finished).decides('startSession');
    full.on(decision('reject')).decides('startSession');
  });
});

describe('a worktree that is not as it was set up', () => {
  const again = first.on(...setUp, started, outdatedAt('sendPrompt'));

  test('is set up again before the prompt, which is the same', () => {
    const before = first.on(...setUp, started);
    again.records('worktree.outdated').decides('placeWorktree');
    const ready = again.on(...setUp).decides('sendPrompt');
    expect(effectOf('sendPrompt', ready).key).toBe(effectOf('sendPrompt', before).key);
    expect(effectOf('sendPrompt', ready).setup).toMatchObject({ nth: 2, inputs: 'inputs 2' });
    expect(mainOf(ready)).toMatchObject({ nth: 2, ports: { PORT: 4000 } });
  });

  test('is set up again before a command, whose time counts from then', () => {
    const at = given({ template: 'withoutPlan', setup: SETUP }, bound, ...setUp, started, ...phaseDone);
    const begun = effectOf('runCommand', at);
    const waiting = at.on(outdatedAt('runCommand')).decides('placeWorktree');
    const ready = waiting.on(...setUp).decides('runCommand');
    const now = effectOf('runCommand', ready);
    expect(now.key).toBe(begun.key);
    expect(now.startedAt > begun.startedAt).toBe(true);
    expect(now.startedAt).toBe(mainOf(ready)?.endedAt);
    ready.on(commandOk).to({ approvals: { changes_approved: 'pending' } });
  });

  test('is left alone if it changes with each set-up', () => {
    const set = [...setUp, outdatedAt('sendPrompt')];
    const third = first.on(...setUp, started, outdatedAt('sendPrompt'), ...set, ...setUp).decides('sendPrompt');
    expect(effectOf('sendPrompt', third).setup).toBeUndefined();
    const next = third.on(sent, valid, committed, approve);
    expect(effectOf('sendPrompt', next).setup).toMatchObject({ nth: 3 });
  });

  test('a late report causes nothing', () => {
    const late = outdatedAt('sendPrompt')(first.on(...setUp, started).run);
    expect(again.on(...setUp, late).latest).toEqual([]);
  });

  test('is known after a pause, too', () => {
    const before = first.on(...setUp, started);
    const late = outdatedAt('sendPrompt')(before.run);
    before.on(pause, late).records('worktree.outdated').decides().on(resume).decides('placeWorktree');
  });
});

test('a pause lets a command of the set-up run on, and begins nothing', () => {
  const paused = first.on(placed, pause).decides('runCommand').on(commandOk).records('command.completed').decides();
  paused.on(resume).records('run.resumed', 'command.started').decides('runCommand');
  first.on(pause).decides().on(resume).decides('placeWorktree');
});

test('an abort ends the command of the set-up', () => {
  const ended = first.on(placed, abort).records('command.failed', 'phase.failed', 'run.aborted');
  expect(due(ended.run)).toEqual(['disposeSessions', 'composeReport']);
});

test('each lane is set up, at the same time as the others', () => {
  const planned = until(given({ template: 'lanes', setup: SETUP }), ({ lanes }) => lanes.length === 3);
  planned.decides('placeWorktree', 'placeWorktree');
  expect(effectOf('placeWorktree', planned, 1)).toMatchObject({ laneId: 'lane-2', nth: 1 });
  const both = planned.on(done('placeWorktree', 0, 1), done('placeWorktree', 0, 0));
  both.decides('runCommand', 'runCommand');
  const one = until(both, (run) => due(run).includes('startSession'));
  expect(one.run.lanes.map(({ setup }) => setup?.state)).toContain('placed');
  expect(untilEnd(planned).run.state).toBe('completed');
});

test('in a lane, a failed set-up holds only that lane', () => {
  const planned = until(given({ template: 'lanes', setup: SETUP }), ({ lanes }) => lanes.length === 3);
  const held = planned
    .on(placed, commandFails, finished)
    .to({ approvals: { setup_failed: 'pending' }, run: 'executing' });
  held.decides('placeWorktree');
  const without = held.on(decision('reject'));
  expect(without.run.lanes.map(({ setup }) => setup?.state)).toEqual(['done', 'without', undefined]);
  expect(untilEnd(without).run.state).toBe('completed');
});

test('its commands are none of the checks of a lane', () => {
  const end = untilEnd(given({ template: 'lanes', setup: SETUP }));
  const ofLanes = end.run.commands.filter(({ laneId }) => laneId !== 'main');
  expect(ofLanes.filter(({ kind }) => kind === 'test')).toHaveLength(1);
  expect(ofLanes.filter(({ kind }) => kind === 'setup').length).toBeGreaterThan(2);
});

test('at a gate, its commands are none of the phase', () => {
  const at = until(given({ template: 'withoutPlan', setup: SETUP }), (run) => openGates(run).length > 0);
  expect(openGates(at.run)[0]?.subject.commands).toMatchObject([{ argv: ['npm', 'test'] }]);
});

test('a phase of commands waits for it', () => {
  const at = given({ template: 'onlyCommands', setup: SETUP }, bound).decides('placeWorktree');
  expect(at.run.commands).toEqual([]);
  at.on(...setUp)
    .records('worktree.set_up', 'command.started')
    .decides('runCommand');
});

test('a measurement and a reader wait for none', () => {
  given({ template: 'measured', setup: SETUP }, bound).decides('inspectEvaluation');
  const reviewed = untilDue('prepareReview', given({ template: 'review', setup: SETUP }));
  const readers = reviewed.on(done('prepareReview'));
  expect(due(readers.run)).toEqual(['startSession', 'startSession']);
});

test('after a kill at any step the same is due', () => {
  const ways = [
    untilEnd(given({ template: 'lanes', setup: SETUP })),
    untilEnd(first.on(placed, commandFails, finished, approve)),
    untilEnd(given({ setup: GUESS }, bound, placed, commandFails)),
  ];
  for (const { events } of ways) {
    for (let length = 1; length < events.length; length += 1) {
      const once = replay(events.slice(0, length));
      const twice = once && replay([...events.slice(0, length)]);
      expect(twice && decide(twice)).toEqual(once && decide(once));
    }
    const keys = new Set(events.map(({ idempotencyKey }) => idempotencyKey));
    expect(keys.size).toBe(events.length);
  }
});

test('an undisturbed run says what it waits for', () => {
  expect(waitsFor(first.run)).toEqual([{ party: 'devflow', sentence: 'the set-up of main' }]);
  expect(waitsFor(first.on(placed).run)).toEqual([{ party: 'command', sentence: 'npm ci (set-up of main)' }]);
  expect(goesWell(first.run).type).toBe('worktreePlaced');
});
