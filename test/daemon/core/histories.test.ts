import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { decide } from '../../../daemon/core/decide.ts';
import { evolve } from '../../../daemon/core/evolve/evolve.ts';
import { handleOutcome } from '../../../daemon/core/handleOutcome.ts';
import { replay } from '../../../daemon/core/replay.ts';
import { NEWEST_BEHAVIOUR } from '../../../daemon/core/run/behaviour.ts';
import { openGates } from '../../../daemon/core/run/query.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import { boundWorktree } from '../../../daemon/core/run/worktreeState.ts';
import { Template } from '../../../schemas/definitions/template.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { eventKey, parseEventPayload, type RunEvent } from '../../../schemas/events/index.ts';
import type { Behaviour } from '../../../schemas/events/run.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import type { AutoGate } from '../../../schemas/gates/autoGates.ts';
import { newComment, requestWith } from './comments/givenComments.ts';
import { editing } from './edits/givenEdit.ts';
import { continues, shipped } from './support/continues.ts';
import {
  approve,
  bound,
  commandFails,
  commandOk,
  committed,
  decision,
  dies,
  done,
  failed,
  firstPhaseDone,
  given,
  type Input,
  invalid,
  pause,
  phaseDone,
  recovered,
  resume,
  type Story,
  sent,
  stalls,
  started,
  timedOut,
  valid,
} from './support/given.ts';
import { stepOf } from './support/inputs.ts';
import { begin, play } from './support/measured.ts';
import { message } from './support/messages.ts';
import { worktreeAt } from './support/outcomes.ts';
import { type Play, playOn, reviewing } from './support/reviewStory.ts';
import { cloned, outdatedAt, placed, SETUP, finished as setupEnds } from './support/setup.ts';
import { ENOUGH, goesWell, isAsked, redMerge, until, untilDue, untilEnd } from './support/unattended.ts';

/**
 * Recorded histories are replayed for ever: every old decision must stay the same. A recording is never changed. A
 * change to the core that alters an old decision needs a new behaviour number in `run.created`.
 */
interface History {
  events: RunEvent[];
  /** After each event: the keys of the due effects. */
  due: string[][];
}

const DIRECTORY = join(packageRoot(), 'test', 'fixtures', 'histories');
const fileOf = (name: string) => join(DIRECTORY, `${name}.json`);

/** How the recordings were made. DEVFLOW_TEST_RECORD=1 writes a missing one. */
const RECORDERS: Record<string, () => readonly RunEvent[]> = {
  'development@1-happy': () =>
    given(
      published('development@1'),
      ...firstPhaseDone,
      approve,
      ...phaseDone,
      approve,
      started,
      ...phaseDone,
      commandOk,
    )
      .on(approve)
      .to({ run: 'completed' }).events,
  'development@1-troubled': () =>
    given(published('development@1'), ...firstPhaseDone, decision('request_changes', 'Shorter.', 'token 1'))
      .on(sent, invalid, ...phaseDone, decision('approve', null, 'token 2'))
      .on(sent, pause, resume, timedOut, recovered, ...phaseDone, decision('approve', null, 'token 3'))
      .on(dies('implementer'), dies('implementer'), dies('implementer'), dies('implementer'))
      .on(decision('approve', 'it is logged in again', 'token 4'), recovered, ...phaseDone)
      .on(commandFails, decision('request_changes', 'Mend the test.', 'token 5'), ...phaseDone)
      .on(commandOk, decision('approve', null, 'token 6'))
      .to({ run: 'completed' }).events,
  'development@1-stalled': () =>
    given(published('development@1'), bound, stalls('planner', 'login'), stalls('planner', null), started)
      .on(sent, stalls('planner', 'permission'), stalls('planner', 'question'), stalls('planner', null))
      .on(stalls('planner', 'quota', '2026-01-01T01:00:00.000Z'), stalls('planner', null), ...phaseDone)
      .on(decision('approve', null, 'token 1'), stalls('planner', 'draft'), sent, stalls('planner', 'hung'))
      .on(recovered, sent, stalls('planner', 'dialog'), valid, committed, decision('approve', null, 'token 2'))
      .on(started, sent, stalls('implementer', 'login'), decision('approve', null, 'token 3'))
      .on(stalls('implementer', null), ...phaseDone, commandOk, decision('approve', null, 'token 4'))
      .to({ run: 'completed' }).events,
  'behaviour-2-happy': () =>
    given({ ...published('development@1'), behaviour: 2 }, ...firstPhaseDone, approve, ...phaseDone, approve)
      .on(started, ...phaseDone, commandOk, approve)
      .to({ run: 'completed' }).events,
  'behaviour-2-moved': () =>
    given({ ...published('development@1'), behaviour: 2 }, ...firstPhaseDone)
      .on(approveAfter('commit-later', 'token 1'))
      .on(approveAfter('commit-later', 'token 2', ['a.ts']), approveAfter('commit-later', 'token 3', ['a.ts']))
      .on(...phaseDone, decision('approve', null, 'token 4'), started, ...phaseDone, commandFails)
      .on(decision('request_changes', 'Mend it.', 'token 5'), ...phaseDone, commandOk)
      .on(decision('approve', null, 'token 6'))
      .to({ run: 'completed' }).events,
  'behaviour-2-boundary': () =>
    given({ template: 'boundary', behaviour: 2 }, ...firstPhaseDone, dies('implementer'), recovered)
      .on(...phaseDone, decision('request_changes', 'Shorter.', 'token 1'), ...phaseDone)
      .on(decision('approve', null, 'token 2'))
      .to({ run: 'completed' }).events,
  'behaviour-3-happy': () => finished(given({ ...published('development@1'), behaviour: 3 })).events,
  'behaviour-3-recovery': () => {
    const lost = given({ template: 'threeReaders', behaviour: 3 }, bound, started, started, started, sent, sent, sent)
      .on(...Array<Input>(4).fill(dies('reader#1')))
      .to({ approvals: { recovery: 'pending' } });
    const alone = lost.on(valid, invalid, sent, valid).to({ run: 'paused' });
    return finished(alone.on(decision('approve', 'it is logged in again', 'token 1'))).events;
  },
  'behaviour-3-lanes': () => finished(lanes(3)).events,
  'behaviour-3-conflict': () => finished(conflict(3)).events,
  'behaviour-3-failed-check': () => {
    const failed = untilDue('runCommand', lanes(3)).on(commandFails);
    const red = untilDue('testMerge', failed).on(done('testMerge', 1));
    return finished(red).events;
  },
  'behaviour-3-ended-lane': () => finished(endedLane(3)).events,
  'behaviour-3-review': () => quarrelled(quarrel(), 3),
  'behaviour-3-unconverged': () => {
    const asked = reviewing(stubborn, {}, { behaviour: 3 }).to({ approvals: { review_unconverged: 'pending' } });
    const again = playOn(asked.on(decision('request_changes', 'Once more.', 'token 1')), stubborn);
    return finished(again.to({ approvals: { review_unconverged: 'pending' } })).events;
  },
  'behaviour-4-turns': () => {
    const doubtful = given({ template: 'development', behaviour: 4, idleTimeoutMs: 20_000 }, bound, started)
      .on(failed('sendPrompt', 'delivery_uncertain'), decision('approve', null, 'token 1'), sent)
      .on(stalls('planner', 'idle'), stalls('planner', null), stalls('planner', 'idle'))
      .on(decision('request_changes', 'Use PostgreSQL.', 'token 2'), sent, stalls('planner', 'idle'), timedOut);
    const asked = doubtful.on(sent, stalls('planner', 'idle'), timedOut).to({ run: 'paused' });
    const retried = asked.on(decision('approve', null, 'token 3'), sent, stalls('planner', 'idle'));
    return finished(retried.on(decision('approve', null, 'token 4'), valid, committed)).events;
  },
  'behaviour-4-lanes': () => finished(given({ template: 'lanes', behaviour: 4 })).events,
  'behaviour-5-happy': () => finished(given({ ...published('development@1'), behaviour: 5 })).events,
  'behaviour-5-lanes': () => finished(lanes(5)).events,
  'behaviour-5-conflict': () => finished(conflict(5)).events,
  'behaviour-5-flaky-and-failed-check': () => {
    const failed = untilDue('runCommand', untilDue('runCommand', lanes(5)).on(commandFails)).on(commandFails);
    const flaky = untilDue('runCommand', untilDue('runCommand', failed).on(commandFails)).on(commandOk);
    const red = untilDue('testMerge', flaky).on(done('testMerge', 1));
    return finished(red).events;
  },
  'behaviour-5-reopened-lane': () => {
    const ended = endedLane(5);
    const laneId = ended.run.lanes.find(({ state }) => state === 'abandoned')?.id ?? '';
    return finished(ended.on({ type: 'reopenLane', laneId, comment: 'There is space now.' })).events;
  },
  'behaviour-5-review': () => quarrelled(withRemovedLines(quarrel()), 5),
  'behaviour-5-duplicate-of-fixed': () => {
    let first = '';
    const play: Play = {
      look: ({ round, roleId }) =>
        roleId !== 'reviewer#0' || round > 2
          ? []
          : [
              {
                line: 10,
                quote: 'save(name)',
                claim: round === 1 ? 'An empty name is saved.' : 'Blank input is stored.',
              },
            ],
      verdict: ({ id }) => {
        if (first === '' || first === id) {
          first = id;
          return 'confirmed';
        }
        return { duplicateOf: first };
      },
    };
    return finished(reviewing(play, {}, { behaviour: 5 })).events;
  },
  'behaviour-6-happy': () => finished(given({ ...published('development@1'), behaviour: 6 })).events,
  'behaviour-6-flow': () => delivered(given({ template: 'autodev', behaviour: 6 })),
  'behaviour-6-pipeline': () => delivered(given({ template: 'pipeline', behaviour: 6 })),
  'behaviour-6-loop': () => {
    const { story } = play(begin({ stop: { maxIterations: 4 } }, 6), [[1, 1.1, 0.9], [1.5], [1.2], ['exit 1'], [2.5]]);
    return finished(story).events;
  },
  'behaviour-6-silent-host': () => finished(silentHost(6).on(decision('approve', 'It is on again.'))).events,
  'behaviour-6-boundary': () => {
    const replaced = confirmed(6, 'approve').to({ approvals: { session_boundary: 'pending' } });
    return finished(replaced.on(seeing('request_changes', 'token 2', [CONFIG, 'b.ts']))).events;
  },
  'behaviour-6-lucky-loop': () => luckyLoop(6),
  'behaviour-7-happy': () => finished(given({ ...published('development@1'), behaviour: 7 })).events,
  'behaviour-7-applied': () => {
    const applied = { type: 'applied', target: 'main', commit: 'new', onto: 'old', head: 'work' } as const;
    return finished(given({ ...published('development@1'), behaviour: 7 }))
      .on({ ...applied, way: 'squash' }, { ...applied, way: 'found' }, { ...applied, target: 'mine', way: 'branch' })
      .to({ run: 'completed' }).events;
  },
  'behaviour-7-silent-host': () => finished(silentHost(7).on({ type: 'hostReturned' })).events,
  'behaviour-7-boundary': () => finished(confirmed(7, 'approve')).events,
  'behaviour-7-lucky-loop': () => luckyLoop(7),
  'behaviour-7-set-up': () => finished(setUpStory(7)).events,
  'behaviour-7-comments': () => commented(7),
  'behaviour-7-edited': () => edited(7),
  'behaviour-7-rule': () => ruled(7),
  'behaviour-7-direct': () => led(7),
  'behaviour-7-continued': () => finished(followed(7)).events,
};

/** A person comments a specification and the result. An answer is missing, and one agent breaks off before it answers. */
function commented(behaviour: Behaviour): readonly RunEvent[] {
  const file = { path: 'src/a.ts', line: 3, endLine: 4, quote: 'three();\nfour();' };
  const spec = [newComment({ ...file, text: 'Shorter.' }), newComment({ ...WHOLE, text: 'Why?', kind: 'question' })];
  const first = given({ ...published('development@1'), behaviour }, ...firstPhaseDone);
  const again = first.on(requestWith(spec, 'Two things.', 'token 1'), sent, dies('planner'), recovered, sent, invalid);
  const made = until(again, isAsked('changes_approved'));
  return finished(made.on(requestWith([newComment(file)], null, 'token 2'))).events;
}

/** A person edits a specification twice, then wants changes of it, and edits the plan. */
function edited(behaviour: Behaviour): readonly RunEvent[] {
  const spec = given({ ...published('development@1'), behaviour }, ...firstPhaseDone);
  const twice = spec.on(editing({ nth: 1 }), editing({ nth: 2, title: 'Add numbers' }));
  const again = twice.on(decision('request_changes', 'Shorter.', 'token 1'), ...phaseDone);
  const plan = again.on(decision('approve', null, 'token 2'), ...phaseDone);
  return finished(plan.on(editing({ nth: 3 }))).events;
}

/** Rules pass a specification and the result. The plan waits for the person, since something was open. */
function ruled(behaviour: Behaviour): readonly RunEvent[] {
  const autoGates: AutoGate[] = [
    { gate: 'spec_approved', if: ['no_open_questions'] },
    { gate: 'plan_approved', if: ['no_open_questions', { diff_below: 200 }] },
    { gate: 'changes_approved', if: ['checks_green'] },
  ];
  const spec = given({ ...published('development@1'), behaviour, autoGates }, ...firstPhaseDone, done('checkRule'));
  const plan = spec.on(...phaseDone, done('checkRule', 2)).to({ approvals: { plan_approved: 'pending' } });
  return finished(plan.on(approve)).events;
}

/** A person leads an agent: turns, what breaks off, a new conversation, the end, and changes after it. */
function led(behaviour: Behaviour): readonly RunEvent[] {
  const [sends, rests, finish] = [
    done('sendMessage'),
    stalls('implementer', 'idle'),
    { type: 'finish', now: false } as const,
  ];
  const dead = dies('implementer');
  const first = given(
    { ...published('direct@1'), behaviour, extra: { finish: [['npm', 'test']] } },
    bound,
    started,
    sends,
    rests,
  );
  const typed = first.on(
    stalls('implementer', null),
    stalls('implementer', 'question'),
    stalls('implementer', null),
    rests,
  );
  const broken = typed.on(
    message('implementer'),
    sends,
    message('implementer', 'm2'),
    dead,
    recovered,
    sends,
    rests,
    sends,
  );
  const failing = broken.on(
    stalls('implementer', 'quota'),
    stalls('implementer', null),
    sends,
    stalls('implementer', 'hung'),
  );
  const anew = failing.on(
    recovered,
    dead,
    dead,
    recovered,
    sends,
    rests,
    sends,
    rests,
    finish,
    committed,
    commandFails,
  );
  const again = anew.on(
    decision('request_changes', 'Mend the test.', 'token 1'),
    sends,
    finish,
    message('implementer', 'm3'),
  );
  const decided = again.on({ type: 'finish', now: true }, committed, commandOk, decision('approve', null, 'token 2'));
  return decided.to({ run: 'completed' }).events;
}

/** Another template follows at the gate of the finished work, once the gate shows the newest files. */
function followed(behaviour: Behaviour): Story {
  const [rests, quick] = [stalls('implementer', 'idle'), shipped('quick-change@2')];
  const atWork = given({ ...published('direct@1'), behaviour, extra: { finish: [['npm', 'test']] } }, bound, started);
  const asked = atWork.on(done('sendMessage'), rests, { type: 'finish', now: false }, committed, commandOk);
  const moved = { worktree: worktreeAt('commit-later'), commits: ['commit-later'], lostArtifacts: [] };
  return asked.on(continues(quick, { observed: moved }), continues(quick, { clientToken: 'continue 2' }));
}

const WHOLE = { path: null, line: null, endLine: null, quote: '' };

/** The set-up of `main` fails, and is out of date before a prompt. A person has a lane go on without one. */
function setUpStory(behaviour: Behaviour): Story {
  const fails = [placed, commandFails, setupEnds];
  const failing = given({ template: 'lanes', behaviour, setup: SETUP }, bound, ...fails);
  const again = failing.on(
    decision('approve', null, 'token 1'),
    placed,
    commandOk,
    pause,
    commandOk,
    resume,
    setupEnds,
  );
  const outdated = again.on(started, outdatedAt('sendPrompt'), cloned, setupEnds);
  const lanes = until(outdated, (run) => run.lanes.length === 3);
  return lanes.on(...fails, decision('reject', 'It needs none.', 'token 2'));
}

/** The host takes no work while the agent works. */
const silentHost = (behaviour: Behaviour) =>
  given({ template: 'development', behaviour }, bound, started, sent, failed('awaitArtifact', 'host_unreachable'));

const CONFIG = '_docs/_repo-config.yaml';

/** A person edits the file that the boundary asks about, and decides. */
function confirmed(behaviour: Behaviour, action: 'approve' | 'request_changes'): Story {
  const made = [sent, valid, committed];
  const asked = given({ template: 'autodev', behaviour }, bound, started, ...made, ...made);
  return asked.on(seeing(action, 'token 1', [CONFIG]));
}

/** The first change is better for sure, and meets the target by less than the noise. The second meets it for sure. */
function luckyLoop(behaviour: Behaviour): readonly RunEvent[] {
  const objective = { primary: { metric: 'trades', better: 'higher' as const }, stop: { maxIterations: 4 } };
  const script = [
    [1.5, 1.9, 1.7],
    [2.1, 1.8, 2.2],
    [2.9, 3.1, 3],
  ];
  return finished(play(begin(objective, behaviour), script, 2, { trades: [10, 20, 30] }).story).events;
}

/** With the commit of the last files after the end. */
const delivered = (story: Story) => untilDue('deliverFiles', finished(story)).on(goesWell).events;

const lanes = (behaviour: Behaviour) => given({ template: 'lanes', behaviour });

function conflict(behaviour: Behaviour): Story {
  const conflicting = untilDue('testMerge', lanes(behaviour)).on(done('testMerge', 2));
  const refused = untilDue('commitResolution', conflicting).on(done('commitResolution', 1));
  return untilDue('commitResolution', refused).on(done('commitResolution', 2));
}

/** A person rejects a lane that did not merge. */
function endedLane(behaviour: Behaviour): Story {
  const ordered = untilDue('findOverlaps', lanes(behaviour)).on(done('findOverlaps', 1));
  const late = untilDue('awaitArtifact', ordered).on(stalls('implementer', 'quota'), timedOut);
  const drifted = untilDue('commitWork', late).on(done('commitWork', 1), pause, resume);
  const raced = untilDue('landMerge', drifted).on(done('landMerge', 1));
  const asked = until(raced, isAsked('merge_failed'), (run) => redMerge(run) ?? goesWell(run));
  return asked.on(decision('reject', 'Not worth it.', 'token 1'));
}

/** The disputed finding of each look goes to a person, who counts the first. */
function quarrelled(play: Play, behaviour: Behaviour): readonly RunEvent[] {
  const disputed = reviewing(play, {}, { behaviour }).to({ approvals: { review_dispute: 'pending' } });
  const counted = playOn(disputed.on(decision('request_changes', 'It is real.', 'token 1')), play);
  const again = counted.to({ approvals: { review_dispute: 'pending' } });
  const dismissed = playOn(again.on(decision('approve', null, 'token 2')), play);
  const shown = until(dismissed, isAsked('changes_approved')).on(decision('request_changes', 'Rename it.', 'token 3'));
  return finished(playOn(shown, play)).events;
}

/** What the change removed is quoted and reported, and reviewers are told of the change. */
function withRemovedLines(play: Play): Play {
  return {
    ...play,
    witnesses: [
      { path: 'a.ts', lines: [1, 10] },
      { path: 'a.ts', side: 'old', lines: [3] },
    ],
    brief: {
      commits: [{ id: 'c'.repeat(12), text: 'Count what is saved' }],
      files: [{ status: 'M', path: 'a.ts', added: 9, removed: 4 }],
      totals: { commits: 1, files: 1, added: 9, removed: 4 },
      known: [{ argv: ['npm', 'test'], from: 'package.json:4' }],
      instructions: ['AGENTS.md'],
    },
    look: (seat) => {
      const found = play.look?.(seat) ?? [];
      const isOthers = seat.round === 1 && seat.roleId === 'reviewer#1';
      return isOthers ? [...found, { line: 320, severity: 'medium', removed: { path: 'a.ts', line: 324 } }] : found;
    },
  };
}

/**
 * Two backends agree on a finding, a command shows the next, and the verifier rejects one and calls one a duplicate. The
 * verifiers cannot settle a critical one in the first look, and another one in the look at the fix. Then a check is red.
 */
function quarrel(): Play {
  let original = '';
  return {
    look: ({ round, roleId }) => {
      const isFirst = roleId === 'reviewer#0';
      if (round === 2) return isFirst ? [{ line: 1000, severity: 'critical' }] : [];
      if (round !== 1) return [];
      if (!isFirst) return [{ line: 10, severity: 'medium' }];
      return [
        { line: 10, claim: 'The limit is never reset.' },
        { line: 50, reproduce: ['npm', 'test', 'fails'] },
        { line: 100, severity: 'critical', category: 'security' },
        { line: 150 },
        { line: 200, severity: 'low' },
        { line: 250, isAnchored: false, symbol: 'parse' },
        { line: 290, symbol: 'parse' },
      ];
    },
    verdict: ({ id, severity, line }) => {
      if (line === 250) original = id;
      if (severity === 'critical') return 'cannot_tell';
      if (line === 290) return { duplicateOf: original };
      return line === 150 ? 'rejected' : 'confirmed';
    },
    fixed: (round) =>
      round === 1 ? [] : [{ path: 'a.ts', from: null, isDeleted: false, hunks: [[300, 0, 301, 900]] }],
    command: ([, , ...more], round) => (more.length > 0 || round === 2 ? 1 : 0),
  };
}

/** Nobody finds anything in a large change but the one more reviewer, and no fix changes anything. */
const stubborn: Play = {
  changedLines: 500,
  look: ({ roleId }) => (roleId === 'verifier' ? [{}] : []),
  prior: () => 'present',
  fixes: () => false,
};

const finished = (story: Story) => untilEnd(story).to({ run: 'completed' });

/** The branch or the worktree has changed by the time of the approval. */
const approveAfter =
  (head: string, clientToken: string, files: string[] = []): Input =>
  (run) => {
    const approvalRequestId = openGates(run)[0]?.id ?? '';
    const observed = { worktree: worktreeAt(head, files), commits: [head], lostArtifacts: [] };
    return { type: 'decide', approvalRequestId, action: 'approve', comment: null, clientToken, observed };
  };

/** These files have changed by the time of the decision. */
const seeing =
  (action: 'approve' | 'request_changes', clientToken: string, files: string[]): Input =>
  (run) => {
    const [gate] = openGates(run);
    const { head = '' } = (gate && boundWorktree(gate.subject)) ?? {};
    const observed = { worktree: worktreeAt(head, files), commits: [], lostArtifacts: [] };
    return { type: 'decide', approvalRequestId: gate?.id ?? '', action, comment: 'Go on.', clientToken, observed };
  };

function published(name: string) {
  const file = join(packageRoot(), 'schemas', 'templates', `${name}.yaml`);
  return {
    behaviour: 1 as const,
    template: Template.parse(parse(readFileSync(file, 'utf8'))),
    extra: { verify: [['npm', 'test']] },
  };
}

/** The run after each event. */
function prefixes(events: readonly RunEvent[]): Run[] {
  const runs: Run[] = [];
  for (const event of events) runs.push(evolve(runs.at(-1), event));
  return runs;
}

/** The run after each input. The events of an input are recorded together, at the same time. */
function steps(events: readonly RunEvent[]): Run[] {
  return prefixes(events).filter((_, index) => events[index]?.ts !== events[index + 1]?.ts);
}

/** The run at its end, if all goes well from now on. */
function finish(run: Run): Run {
  let at = run;
  for (let step = 0; step < ENOUGH && !isTerminal(at.state); step += 1) at = stepOf(at, goesWell(at)).run;
  return at;
}

const dueKeys = (run: Run) => decide(run).map((effect) => effect.key);

if (process.env.DEVFLOW_TEST_RECORD) {
  for (const [name, record] of Object.entries(RECORDERS)) {
    if (existsSync(fileOf(name))) continue;
    const events = [...record()];
    const history: History = { events, due: prefixes(events).map(dueKeys) };
    writeFileSync(fileOf(name), `${JSON.stringify(history, null, 1)}\n`);
  }
}

/** The stories of earlier recordings have changed since: their templates are others now. */
const stillTold = Object.entries(RECORDERS).filter(([name]) => /^behaviour-[5-9]/.test(name));

const names = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

test('keeps every recording', () => {
  expect(names).toEqual(expect.arrayContaining(Object.keys(RECORDERS)));
});

test('has recordings of the newest behaviour', () => {
  expect(names).toContainEqual(expect.stringContaining(`behaviour-${NEWEST_BEHAVIOUR}-`));
});

test.each(stillTold)('%s: the core decides the same again', (name, record) => {
  const { events }: History = JSON.parse(readFileSync(fileOf(name), 'utf8'));
  expect(JSON.parse(JSON.stringify(record()))).toEqual(events);
});

describe.each(names)('%s', (name) => {
  const { events, due }: History = JSON.parse(readFileSync(fileOf(name), 'utf8'));

  test('parses: payloads, event keys and seq are unchanged', () => {
    expect(events.length).toBeGreaterThan(20);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    for (const event of events) {
      expect(parseEventPayload(event.type, event.payload)).toEqual(event.payload);
      expect(eventKey(event.runId, event)).toBe(event.idempotencyKey);
    }
  });

  test('decides the recorded effects after each event', () => {
    expect(prefixes(events).map(dueKeys)).toEqual(due);
  });

  test('can be finished from each step on', () => {
    const ends = steps(events).map((run) => `${run.lastSeq}: ${finish(run).state}`);
    expect(ends.filter((end) => !end.endsWith('completed'))).toEqual([]);
  });

  test('ends as recorded and ignores later outcomes', () => {
    const run = replay(events);
    expect(run && isTerminal(run.state)).toBe(true);
    expect(run && handleOutcome(run, { type: 'sessionReady', sessionId: run.sessions[0]?.id ?? '' })).toEqual([]);
  });
});
