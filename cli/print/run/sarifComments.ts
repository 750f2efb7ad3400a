import type { CommentView } from '../../../schemas/comments/commentView.ts';
import { answerWords } from '../../../schemas/comments/commentWords.ts';

export const COMMENT_RULE = { id: 'comment', shortDescription: { text: 'A person said something about the change.' } };

/** A person's comment as a SARIF result: for people to look at, and no defect. An answered one counts as closed. */
export function commentResult(view: CommentView) {
  const { id, kind, text, state, quote, phaseKey, answers, now } = view;
  const path = now?.path ?? view.path;
  return {
    ruleId: COMMENT_RULE.id,
    kind: 'review' as const,
    // The standard allows no other level for what is not a failure.
    level: 'none' as const,
    message: { text },
    locations:
      path === null ? [] : [{ physicalLocation: { artifactLocation: { uri: uriOf(path) }, ...regionOf(view) } }],
    partialFingerprints: {} as Record<string, string>,
    suppressions:
      state === 'answered'
        ? [
            {
              kind: 'external' as const,
              status: 'accepted' as const,
              justification: answers.map(answerWords).join('\n'),
            },
          ]
        : [],
    properties: { id, kind, state, phase: phaseKey, quote, place: now?.as ?? 'same' },
  };
}

/** Without a line for a removed one, and for one whose place is lost. */
function regionOf({ side, line, endLine, now }: CommentView) {
  const at = now ?? { line, endLine };
  if (side === 'old' || at.line === null) return {};
  return { region: { startLine: at.line, endLine: at.endLine ?? at.line } };
}

/** A relative reference: what is not plain is percent-encoded, and a first segment with a colon is no scheme. */
export function uriOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
