import { kindOf } from '../../kinds/index.ts';
import type { SessionStart } from '../effect/effect.ts';
import type { Outcome } from '../effect/outcome.ts';
import { failure, type Possible, type PossibleOf } from '../effect/possible.ts';
import { currentPhase, isDue } from '../run/query.ts';
import type { Run } from '../run/state.ts';
import { answersTo } from './sampleAnswers.ts';

type AgentEffect = 'startSession' | 'sendPrompt' | 'sendMessage' | 'awaitArtifact' | 'recoverSession';

type Trouble = 'invalid' | 'late' | 'crash';

/** Why the prompt that is due repeats another; null for a first one. A second failure is like the first. */
function troubleOf(run: Run, { session: { sessionId } }: { session: SessionStart }): Trouble | null {
  const assignment = currentPhase(run)?.assignments.find((each) => each.sessionId === sessionId && isDue(each));
  if (!assignment) return null;
  if (assignment.resend) return assignment.resend === 'timeout' ? 'late' : 'crash';
  return assignment.repairsUsed > 0 ? 'invalid' : null;
}

function lost({ session }: { session: SessionStart }, when = 'ends'): Possible {
  const { sessionId, recoveryAttempts, roleId } = session;
  return {
    outcome: { type: 'sessionLost', sessionId, recoveryAttempts, error: failure('pane_briefly_unresponsive') },
    words: `the agent of ${roleId} ${when}`,
  };
}

/** An agent can end whatever it does, if nothing else went wrong with its work. */
function orLost(run: Run, effect: { session: SessionStart }, good: Possible, when: string): Possible[] {
  const before = troubleOf(run, effect);
  return before === null || before === 'crash' ? [good, lost(effect, when)] : [good];
}

/**
 * Agents write something valid or invalid, miss the deadline, or end. Uncertain deliveries and turns without a file are
 * left out. No answer to them leads to another phase, gate or end (`leftOut.test.ts`).
 */
export const AGENT_OUTCOMES: { readonly [T in AgentEffect]: PossibleOf<T> } = {
  startSession(effect, run) {
    const { sessionId, roleId } = effect.session;
    const ready: Possible = { outcome: { type: 'sessionReady', sessionId }, words: `the agent of ${roleId} starts` };
    return orLost(run, effect, ready, 'does not start');
  },
  sendPrompt(effect, run) {
    const { session, envelope, repair } = effect;
    const { sessionId, recoveryAttempts, roleId } = session;
    const delivered: Outcome = {
      type: 'promptDelivered',
      sessionId,
      recoveryAttempts,
      envelope,
      promptId: envelope.uuid,
      repair,
    };
    const words = `${roleId} gets the prompt of ${envelope.phaseKey}`;
    return orLost(run, effect, { outcome: delivered, words }, 'takes no prompt');
  },
  sendMessage({ session, message }) {
    const { sessionId, recoveryAttempts, roleId } = session;
    const { messageId, uuid: promptId } = message;
    const delivered = { messageId, sessionId, recoveryAttempts, promptId, proof: 'hook' as const };
    return [{ outcome: { type: 'messageDelivered', ...delivered }, words: `${roleId} gets a message` }];
  },
  awaitArtifact(effect, run) {
    const { key, phaseId, roleId, path, schema, storedPath, wantsData, session, timeoutMs } = effect;
    const found = { type: 'artifactFound' as const, phaseId, roleId, path, schema };
    const phase = run.phases.find(({ id }) => id === phaseId);
    const seconded = phase && kindOf(phase).rehearsal.secondedAnswer?.(phase, effect);
    const answers = answersTo(effect).map((data, nth) => ({ data, nth }));
    const given = answers.filter(({ nth }) => seconded === undefined || nth === seconded);
    const valid = given.map(
      ({ data, nth }): Possible => ({
        outcome: {
          ...found,
          hash: `${path} ${nth}`,
          verdict: { valid: true, storedPath, ...(wantsData ? { data } : {}) },
        },
        words: `${roleId} writes a valid ${schema}${nth > 0 ? `, variant ${nth + 1}` : ''}`,
      }),
    );
    const invalid: Possible = {
      outcome: {
        ...found,
        hash: `${path} invalid`,
        verdict: { valid: false, errors: [{ path: '', message: 'wrong' }] },
      },
      words: `${roleId} writes an invalid ${schema}`,
    };
    const late: Possible = {
      outcome: { type: 'artifactTimedOut', key, phaseId, roleId, sessionId: session.sessionId, path },
      words: `${roleId} misses the deadline`,
    };
    const before = troubleOf(run, effect);
    const isPossible = (trouble: Trouble) => before === null || before === trouble;
    return [
      ...valid,
      ...(isPossible('invalid') ? [invalid] : []),
      ...(isPossible('late') && timeoutMs !== null ? [late] : []),
      ...(isPossible('crash') ? [lost(effect)] : []),
    ];
  },
  recoverSession(effect, run) {
    const { session, how } = effect;
    const { sessionId, roleId } = session;
    const recovered: Outcome = { type: 'sessionRecovered', sessionId, how };
    const words = `the agent of ${roleId} is restarted`;
    return orLost(run, effect, { outcome: recovered, words }, 'does not restart');
  },
};
