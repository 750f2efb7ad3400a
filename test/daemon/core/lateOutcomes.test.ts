import { describe, expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import { waiting } from './support/agent.ts';
import { describeBehaviours } from './support/behaviours.ts';
import {
  abort,
  approve,
  bound,
  commandOk,
  committed,
  dies,
  expired,
  failed,
  firstPhaseDone,
  type Input,
  now,
  pause,
  recovered,
  resume,
  sent,
  started,
  timedOut,
  valid,
} from './support/given.ts';
import { errorRecord } from './support/outcomes.ts';

/** A death as the watcher of the agent reports it: without the count that an effect knows. */
const watched: Input = (run) => ({
  type: 'sessionLost',
  sessionId: run.sessions[0]?.id ?? '',
  error: errorRecord('pane_briefly_unresponsive'),
});

describeBehaviours((given) => {
  describe('ignores a late or repeated outcome', () => {
    test.each<[string, Input[], Input, Input[]]>([
      ['bindings locked twice', [], bound, [bound]],
      ['a session ready twice', [bound], started, [started]],
      ['a prompt delivered twice', [bound, started], sent, [sent]],
      ['a prompt delivered to a session that has died', [bound, started], sent, [dies('planner')]],
      [
        'a prompt delivered to a session that has died and is back',
        [bound, started],
        sent,
        [dies('planner'), recovered],
      ],
      [
        'a prompt delivered after the attempt was given up',
        [bound, started],
        sent,
        [failed('sendPrompt', 'disk_full')],
      ],
      ['a prompt of an earlier attempt', [bound, started], sent, [failed('sendPrompt', 'disk_full'), approve]],
      ['an artifact found twice', waiting, valid, [valid]],
      ['an artifact of an earlier attempt', waiting, valid, [timedOut, recovered, sent]],
      ['an artifact of an attempt that was given up', waiting, valid, [failed('awaitArtifact', 'disk_full')]],
      ['a time-out after the artifact', waiting, timedOut, [valid]],
      ['a time-out while the run is paused', waiting, timedOut, [pause]],
      ['a death that another effect saw too', waiting, dies('planner'), [dies('planner')]],
      ['a death that the watcher tells after the effect', waiting, watched, [dies('planner')]],
      ['a recovery told twice', [...waiting, dies('planner')], recovered, [recovered]],
      ['work committed twice', [...waiting, valid], committed, [committed]],
      ['work committed in a pause', [...waiting, valid], committed, [pause]],
      ['a failure that was dealt with', waiting, failed('awaitArtifact', 'disk_full'), [valid]],
      ['anything after the end', waiting, valid, [abort]],
    ])('%s', (_, before, input, between) => {
      const story = given({}, ...before);
      const late = now(story, input);
      story.on(...between, late).records();
    });

    test('a command that ends after its attempt failed', () => {
      const story = given({ template: 'withoutPlan' }, ...firstPhaseDone);
      const late = now(story, commandOk);
      const over = story.on(failed('runCommand', 'disk_full')).to({ run: 'paused', phases: { verify: 'failed' } });
      expect(over.run.commands.map((command) => command.state)).toEqual(['failed']);
      over.on(late).records();
      over.on(approve, late).records().decides('runCommand');
    });

    test('a time-out of an earlier pending period of a gate', () => {
      const story = given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone);
      const late = now(story, expired);
      story.on(pause, resume, late).records().to({ run: 'awaiting_approval' });
    });
  });

  test('records a prompt that an agent took before it died, and resends it as the next attempt', () => {
    const back = given({}, bound, started, dies('planner'), recovered).decides('sendPrompt');
    const taken: Input = { ...(now(back, sent) as Extract<Input, { type: 'promptDelivered' }>), takerEnded: true };
    const lost = back
      .on(taken)
      .records(...(['prompt.sent', 'artifact.expected', 'session.busy', 'session.crashed'] as const));
    const again = lost.decides('recoverSession').on(recovered).decides('sendPrompt');
    expect(decide(again.run)).toMatchObject([{ envelope: { attempt: 2 } }]);
    again.on(taken).records();
    again.on(sent).records('prompt.sent', 'artifact.expected', 'session.busy').decides('awaitArtifact');
  });

  test('keeps a command running in a pause; the run stays paused and resumes from its result', () => {
    const paused = given({ template: 'withoutPlan' }, ...firstPhaseDone, pause).decides('runCommand');
    paused.on(commandOk).records('command.completed').on(resume).records('run.resumed', 'approval.requested');
    const stopped = paused.on(failed('runCommand', 'disk_full')).records('command.failed').to({ run: 'paused' });
    stopped.on(resume).to({ run: 'awaiting_approval' });
    paused.on(failed('runCommand', 'internal_state_corruption')).to({ run: 'failed', phases: { verify: 'failed' } });
  });
});
