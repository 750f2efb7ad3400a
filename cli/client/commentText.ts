import { visible } from '../../schemas/visible.ts';
import { SCISSORS } from './scissors.ts';

/** What the editor opens with: room to write, and below the scissors what the comment is about. */
export function commentDraft(question: string, context: string, begun = ''): string {
  const about = [
    SCISSORS,
    'Write above this line. Nothing from it on is sent; an empty comment sends nothing.',
    '',
    visible(question, 'text'),
    '',
    visible(context, 'text').trimEnd(),
    '',
  ];
  return `${begun}\n${about.join('\n')}`;
}
