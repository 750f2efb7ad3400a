import { aboveScissors, commentDraft } from '../../../cli/client/scissors.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { toast } from '../../model/toast.ts';
import { textOf } from '../../text/line.ts';
import { keepTyped, typedText } from '../decisions/typedText.ts';
import { sectionsOf } from './approvalSections.ts';

/** Opens the editor, with what is under decision below the scissors. The text is kept until the daemon took it. */
export function writeComment(
  model: Model,
  gate: ApprovalDetail,
  action: 'request_changes' | 'reject',
  send: (model: Model, text: string) => Step,
): Step {
  const then = (after: Model, edited: string): Step => {
    const text = aboveScissors(edited);
    const keep = (draft: string | undefined) => keepTyped(after, gate.id, draft ?? '');
    if (text === undefined) {
      const say =
        'The line with >8 is missing, so devflow cannot find the end of your comment. Nothing was sent; your text is kept.';
      return step(toast(keep(edited), 'bad', say));
    }
    if (text === '') return step(toast(keep(undefined), 'warn', 'The comment is empty. Nothing was sent.'));
    return send(keep(text), text);
  };
  const asked = `${{ request_changes: 'Request changes', reject: 'Reject' }[action]}: ${gate.question}`;
  const draft = commentDraft(asked, commentContext(model, gate), typedText(model, gate.id));
  return step(model, { type: 'edit', text: draft, suffix: '.md', then });
}

/** Width of a line in the editor. */
const COLUMNS = 100;

/** The gate as the dashboard shows it, for the author of a comment. */
export function commentContext(model: Model, gate: ApprovalDetail): string {
  return sectionsOf(model, gate)
    .filter(({ id }) => ['sheet', 'code'].includes(id))
    .flatMap(({ title, lines }) => [`${title}:`, '', ...lines(COLUMNS, false).map(textOf), ''])
    .join('\n');
}
