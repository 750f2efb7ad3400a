import type { CommentView } from '../../schemas/comments/commentView.ts';

/** A comment on lines that was answered, but for what a test says. */
export function givenComment(over: Partial<CommentView> = {}): CommentView {
  return {
    ...{ id: 'c1', path: 'src/greet.ts', side: 'new', line: 10, endLine: 12, artifact: null, pointer: null },
    ...{ quote: 'if (name === "") {', kind: 'change', text: 'Refuse blanks, too.', anchor: null },
    ...{ approvalId: 'approval-1', gateKey: 'changes_approved', at: '2026-01-01T00:00:00.000Z', phaseKey: 'implement' },
    ...{
      state: 'answered',
      reason: null,
      now: { path: 'src/greet.ts', line: 11, endLine: 13, as: 'moved' },
      patch: null,
    },
    answers: [
      { phaseKey: 'implement', assignment: 'implementer', action: 'fixed', note: 'Blanks are refused.', at: '' },
    ],
    ...over,
  };
}
