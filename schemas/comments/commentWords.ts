import type { Comment } from './comment.ts';
import type { AnswerView, CommentView } from './commentView.ts';

/** The place of a comment as a person finds it: `src/a.ts:10-12`. */
export function commentPlace({ path, side, line, endLine, artifact, pointer }: Comment): string {
  if (artifact !== null)
    return pointer ? `document ${artifact.slice(0, 12)} at ${pointer}` : `document ${artifact.slice(0, 12)}`;
  if (path === null) return 'the whole';
  return `${path}${linesOf(line, endLine)}${side === 'old' && line !== null ? ' (removed)' : ''}`;
}

function linesOf(line: number | null, endLine: number | null): string {
  if (line === null) return '';
  return endLine === null || endLine === line ? `:${line}` : `:${line}-${endLine}`;
}

/** Where its lines are now, if not where they were. Null if they are there, or if nobody looked. */
export function placeNowWords({ now }: Pick<CommentView, 'now'>): string | null {
  switch (now?.as) {
    case 'moved':
      return `now ${now.path}${linesOf(now.line, now.endLine)}`;
    case 'changed':
      return `changed, now ${now.path}${linesOf(now.line, now.endLine)}`;
    case 'outdated':
      return 'outdated: its lines are gone';
    default:
      return null;
  }
}

const STATES: Readonly<Record<CommentView['state'], string>> = {
  open: 'waits for an answer',
  answered: 'answered',
  told: 'told to the agent',
  unanswered: 'not answered',
};

export function commentStateWords({ state, reason }: Pick<CommentView, 'state' | 'reason'>): string {
  return reason === null ? STATES[state] : `${STATES[state]}: ${reason}`;
}

const ACTIONS: Readonly<Record<AnswerView['action'], string>> = {
  fixed: 'fixed',
  answered: 'answered',
  disputed: 'disputed',
  wont_fix: 'left as it is',
};

export function answerWords({ assignment, action, note }: AnswerView): string {
  return `${assignment}: ${ACTIONS[action]}${note.trim() === '' ? '' : `: ${note}`}`;
}

/** A comment with its answers, a line each, as text of several lines. */
export function commentLines(view: CommentView): string[] {
  const now = placeNowWords(view);
  const head = [view.id, view.kind === 'question' ? 'question' : 'change', commentPlace(view)].join(' ');
  return [
    `${head}${now === null ? '' : ` (${now})`}: ${commentStateWords(view)}`,
    ...view.quote.split('\n').flatMap((line) => (view.quote === '' ? [] : [`  | ${line}`])),
    ...view.text.split('\n').map((line) => `  ${line}`),
    ...view.answers.flatMap((answer) =>
      answerWords(answer)
        .split('\n')
        .map((line, at) => `  ${at === 0 ? '→ ' : '  '}${line}`),
    ),
  ];
}
