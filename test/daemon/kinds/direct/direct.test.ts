import { describe, expect, it } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { judgeGraph } from '../../../../daemon/core/rehearse/judgeGraph.ts';
import { walkInParts } from '../../../../daemon/core/rehearse/walk.ts';
import { MOST_SO_FAR } from '../../../../daemon/core/run/soFar.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { runTitle } from '../../../../daemon/core/run/title.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import { kindOf } from '../../../../daemon/kinds/index.ts';
import {
  approve,
  bound,
  committed,
  decision,
  dies,
  done,
  failed,
  given,
  type Input,
  pause,
  recovered,
  resume,
  type Story,
  stalls,
  started,
} from '../../core/support/given.ts';
import { message, statesOf } from '../../core/support/messages.ts';
import { TEMPLATES } from '../../core/support/templates.ts';

const ROLE = 'implementer';
const delivered = done('sendMessage');
const rests = stalls(ROLE, 'idle');
const finish: Input = { type: 'finish', now: false };
const finishNow: Input = { type: 'finish', now: true };
const begin = (requirementsMd = 'Make it so.') => given({ template: 'direct', requirementsMd }, bound);
/** The agent works on the first message. */
const inTurn = () => begin().on(started, delivered);
/** Its turn is over. */
const atRest = () => inTurn().on(rests);
const written = ({ run }: Story) => run.messages.map(({ why, text }) => [why, text]);
const said = (story: Story) => waitsFor(story.run).map(({ party, sentence }) => `${party}: ${sentence}`);
const sessionOf = ({ run }: Story) => run.sessions[0];

describe('a turn of an agent that a person leads', () => {
  it('begins with what the run is for, as a message', () => {
    const story = begin().on(started);
    expect(written(story)).toEqual([['requirements', 'Make it so.']]);
    story
      .decides('sendMessage')
      .on(delivered)
      .records('message.sent')
      .decides()
      .to({ sessions: { [ROLE]: 'BUSY' } });
  });

  it('ends as rest, and the person is needed', () => {
    const story = atRest()
      .records('run.stalled')
      .to({ run: 'executing', sessions: { [ROLE]: 'READY' } });
    expect(sessionOf(story)?.stall).toMatchObject({ cause: 'turn_over', detail: 'it is idle' });
    expect(said(inTurn())).toEqual(['agent: implementer (fake) to end its turn']);
    expect(waitsFor(story.run)).toMatchObject([{ party: 'person', sessionId: sessionOf(story)?.id }]);
  });

  it('also begins with what a person writes in the pane', () => {
    const story = atRest()
      .on(stalls(ROLE, null))
      .to({ sessions: { [ROLE]: 'BUSY' } });
    expect(said(story)).toEqual(['agent: implementer (fake) to end its turn']);
    story.on(rests).to({ sessions: { [ROLE]: 'READY' } });
  });

  it('may ask the person, who answers in the pane', () => {
    atRest()
      .on(stalls(ROLE, 'question'))
      .to({ sessions: { [ROLE]: 'WAITING_FOR_APPROVAL' }, approvals: { agent_asks: 'pending' } })
      .on(stalls(ROLE, null))
      .to({ sessions: { [ROLE]: 'BUSY' }, approvals: { agent_asks: 'aborted' } });
  });

  it('takes a slot only while the agent works', () => {
    const atWork = ({ run }: Story) => {
      const [phase] = run.phases;
      return phase ? (kindOf(phase).atWork?.(run, phase) ?? []) : [];
    };
    const id = sessionOf(inTurn())?.id;
    expect(
      [inTurn(), atRest(), inTurn().on(stalls(ROLE, 'quota')), inTurn().on(stalls(ROLE, 'question'))].map(atWork),
    ).toEqual([[id], [], [], []]);
    const gets = begin().on(started);
    expect([gets, gets.on(failed('sendMessage', 'delivery_uncertain'))].map(atWork)).toEqual([[id], []]);
  });

  it('waits for the first message of the person if the run has no text', () => {
    const story = begin(' \n').on(started);
    expect(written(story)).toEqual([]);
    expect(waitsFor(story.run)).toMatchObject([{ party: 'person', sessionId: sessionOf(story)?.id }]);
    const idle = story.on({
      type: 'sessionStalled',
      sessionId: sessionOf(story)?.id ?? '',
      stall: { cause: 'idle', detail: '', until: null },
    });
    expect(sessionOf(idle)?.stall).toMatchObject({ cause: 'turn_over', detail: 'it waits for your first message' });
    const asked = idle.on(message(ROLE, 'm1', 'Use tabs.\n\nEverywhere.'));
    expect(runTitle(asked.on(message(ROLE, 'm2', 'And no semicolons.')).run)).toBe('Use tabs.');
    asked
      .decides('sendMessage')
      .on(delivered)
      .to({ sessions: { [ROLE]: 'BUSY' } });
  });
});

describe('an agent that breaks off', () => {
  const goesOn = (why: string, reason: string) => [[why, `${reason} Go on and finish it.`]];

  it.each<[string, Input[], string, string]>([
    ['ends', [dies(ROLE), recovered], 'crash', 'The session broke off while you worked on this.'],
    [
      'hangs',
      [stalls(ROLE, 'hung'), recovered],
      'hung',
      'You stopped moving while you worked on this, and were started again.',
    ],
    [
      'reaches its limit',
      [stalls(ROLE, 'quota'), stalls(ROLE, null)],
      'quota',
      'The usage limit stopped you while you worked on this.',
    ],
    [
      'fails',
      [stalls(ROLE, 'error'), stalls(ROLE, null)],
      'error',
      'An error ended your turn while you worked on this.',
    ],
  ])('goes on with its turn once it can, if it %s in one', (_, inputs, why, reason) => {
    const story = inTurn().on(...inputs);
    expect(written(story).slice(1)).toEqual(goesOn(why, reason));
    story
      .decides('sendMessage')
      .on(delivered, rests)
      .to({ sessions: { [ROLE]: 'READY' } });
    expect(written(story.on(delivered, rests, pause, resume))).toHaveLength(2);
  });

  it.each<[string, Input[]]>([
    ['ends', [dies(ROLE), recovered]],
    ['has a limit', [stalls(ROLE, 'quota'), stalls(ROLE, null)]],
  ])('is only started again if it %s at rest', (_, inputs) => {
    expect(written(atRest().on(...inputs))).toHaveLength(1);
  });

  it('goes on before it gets what was written meanwhile', () => {
    const story = inTurn().on(message(ROLE), dies(ROLE), recovered);
    expect(written(story).map(([why]) => why)).toEqual(['requirements', null, 'crash']);
    const sent = story.on(delivered);
    expect(statesOf(sent.run)).toEqual(['sent', 'queued', 'sent']);
  });

  it('is told what was asked so far in a new conversation, then what it did', () => {
    const lost = atRest().on(message(ROLE, 'm1', 'Use tabs.'), delivered, dies(ROLE), dies(ROLE), dies(ROLE));
    const anew = lost.on(recovered);
    const text = anew.run.messages.at(-1)?.text ?? '';
    expect(text).toContain('So far you were asked:\n\nMake it so.\n\nUse tabs.\n\nThe session broke off');
    expect(anew.run.messages.at(-1)?.why).toBe('crash');
  });

  it('gets a new conversation told before the next message, and not alone', () => {
    const lost = atRest().on(dies(ROLE), dies(ROLE), dies(ROLE), recovered);
    expect(written(lost)).toHaveLength(1);
    const asked = lost.on(message(ROLE));
    expect(written(asked).map(([why]) => why)).toEqual(['requirements', null, 'anew']);
    expect(statesOf(asked.on(delivered).run)).toEqual(['sent', 'queued', 'sent']);
    expect(written(asked.on(delivered, rests, delivered))).toHaveLength(3);
  });

  it('tells at most so much of what was asked, the newest whole', () => {
    const long = 'x'.repeat(MOST_SO_FAR);
    const lost = atRest().on(message(ROLE, 'm1', long), delivered, dies(ROLE), dies(ROLE), dies(ROLE), recovered);
    const text = lost.run.messages.at(-1)?.text ?? '';
    expect(text).toContain(`(1 earlier left out)\n\n${long}`);
    expect(text).not.toContain('Make it so.');
  });

  it('asks a person after its budget, and goes on as they say', () => {
    const gone = inTurn().on(...Array<Input>(4).fill(dies(ROLE)));
    gone.to({ run: 'paused', approvals: { recovery: 'pending' } });
    const back = gone.on(decision('request_changes', 'Take the other one.'), recovered);
    expect(written(back).map(([why]) => why)).toEqual(['requirements', 'changes', 'crash']);
  });

  it('asks a person when its turns fail again and again', () => {
    const once: Input[] = [stalls(ROLE, 'error'), stalls(ROLE, null), delivered];
    const asked = inTurn().on(...once, ...once, stalls(ROLE, 'error'));
    asked.to({ approvals: { recovery: 'pending' } });
  });

  it('has a log-in asked for in its pane', () => {
    inTurn()
      .on(stalls(ROLE, 'login'))
      .to({ run: 'executing', approvals: { agent_asks: 'pending' } });
  });
});

describe('the end of the work', () => {
  it('comes when the person says so, with a commit and a decision', () => {
    const finished = atRest().on(finish).records('direct.finished').decides('commitWork');
    expect(said(finished)).toEqual(['devflow: commitWork']);
    const asked = finished.on(committed);
    asked.to({ run: 'awaiting_approval', approvals: { changes_approved: 'pending' } });
    asked.on(approve).to({ run: 'completed' });
  });

  it('waits for the end of the turn, and for messages that wait', () => {
    const story = inTurn().on(message(ROLE), finish).decides();
    story.on(rests).decides('sendMessage').on(delivered).decides().on(rests).decides('commitWork');
  });

  it('comes at once if the person says now, whatever the agent does', () => {
    const story = inTurn().on(message(ROLE), finish, finishNow).records('direct.finished').decides('commitWork');
    expect(statesOf(story.on(committed).run)).toEqual(['sent', 'queued']);
  });

  it('comes at once without an agent that could not be started again', () => {
    const gone = inTurn().on(...Array<Input>(4).fill(dies(ROLE)), finishNow);
    gone.to({ approvals: { recovery: 'aborted' } }).decides('commitWork');
    gone.on(committed).to({ approvals: { changes_approved: 'pending' } });
  });

  it('is said once: the same word again changes nothing', () => {
    expect(inTurn().on(finish, finish).latest).toEqual([]);
    expect(inTurn().on(finishNow, finish, finishNow).latest).toEqual([]);
  });

  it('goes on with the agent if the person wants changes', () => {
    const again = atRest().on(finish, committed, decision('request_changes', 'Name it greet.'));
    expect(written(again).at(-1)).toEqual(['changes', 'Name it greet.']);
    const second = again.decides('sendMessage').on(delivered, rests).decides();
    second.on(finish, committed).to({ approvals: { changes_approved: 'pending' } });
  });

  it('is tried again after a failed commit, without another word', () => {
    const asked = atRest()
      .on(finish, failed('commitWork', 'disk_full'))
      .to({ approvals: { recovery: 'pending' } });
    const again = asked.on(approve).decides('commitWork');
    expect(written(again)).toHaveLength(1);
  });

  it.each<[string, Story]>([
    ['before the phase began', given({ template: 'direct' })],
    ['while the run is paused', atRest().on(pause)],
    ['at its own gate', atRest().on(finish, committed)],
    ['after the end', atRest().on(finish, committed, approve)],
    ['of a workflow', given({}, bound)],
  ])('is refused %s', (_, story) => {
    story.refuses(finish, 'state_conflict');
  });

  it('leaves the agent for messages at the gate', () => {
    const story = atRest().on(finish, committed, message(ROLE)).decides('sendMessage').on(delivered);
    story
      .to({ run: 'awaiting_approval', sessions: { [ROLE]: 'BUSY' } })
      .on(rests)
      .to({ sessions: { [ROLE]: 'READY' } });
  });
});

it('is walked without a path that waits for nobody', () => {
  const walk = walkInParts(TEMPLATES.direct);
  let at = walk.next();
  while (!at.done) at = walk.next();
  const { findings, phases, gates } = judgeGraph(TEMPLATES.direct, at.value);
  expect(findings).toEqual([]);
  expect(phases.every(({ reached }) => reached) && gates.every(({ onEveryPath }) => onEveryPath)).toBe(true);
});

/** Nothing that devflow does is due twice. */
it('has no effect but those of its agent while a person leads', () => {
  const types = (run: Run) => decide(run).map(({ type }) => type);
  expect([begin(), inTurn(), atRest(), inTurn().on(dies(ROLE))].map(({ run }) => types(run))).toEqual([
    ['startSession'],
    [],
    [],
    ['recoverSession'],
  ]);
});
