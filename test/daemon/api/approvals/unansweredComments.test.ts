import { expect, test } from 'vitest';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { unresolvedOf } from '../../../../daemon/report/unresolved.ts';
import { questionOf } from '../../../../daemon/sheet/question.ts';
import { newComment, requestWith } from '../../core/comments/givenComments.ts';
import { decision, given } from '../../core/support/given.ts';
import { isAsked, until } from '../../core/support/unattended.ts';

/** A person wants more than the template allows, and then leaves the result as it is. */
function left(): Run {
  const wanting = (run: Run) => requestWith([newComment()], null, `wanted ${run.lastSeq}`)(run);
  let story = until(given({ template: 'cycle' }), isAsked('cycle_accepted'));
  while (!isAsked('iterations_exhausted')(story.on(wanting).run)) {
    story = until(story.on(wanting), isAsked('cycle_accepted'));
  }
  return until(story.on(wanting, decision('approve', null, 'enough')), isAsked('cycle_accepted')).run;
}

test('the next gate and the report say which comment has no answer, and why', () => {
  const run = left();
  const id = run.comments.at(-1)?.id;
  const sentence = `Comment ${id} has no answer: Phase make ended without it.`;
  expect(questionOf(run, openGates(run)[0] as Approval)).toContain(sentence);
  const unresolved = unresolvedOf({ run, events: [], findings: [] } as never);
  expect(unresolved).toContainEqual({ kind: 'comment_unanswered', sentence, subject: id });
  expect(unresolved.filter(({ kind }) => kind === 'comment_unanswered')).toHaveLength(1);
});
