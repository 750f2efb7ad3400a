import { visible } from '../../schemas/text/visible.ts';

/** Everything from this line on is dropped from what a person writes, as in `git commit -v`. */
export const SCISSORS = '------------------------ >8 ------------------------';

/** The text above the line; undefined if the person removed the line. */
export function aboveScissors(edited: string): string | undefined {
  const lines = edited.split(/\r?\n/);
  const end = lines.findIndex((each) => each.trimEnd() === SCISSORS);
  return end < 0 ? undefined : lines.slice(0, end).join('\n').trim();
}

/** The text that the editor opens with: room for a comment, and below the scissors what the comment is about. */
export function commentDraft(question: string, context: string, begun = ''): string {
  const about = [
    SCISSORS,
    'Write above this line. Everything below is dropped. An empty comment is not sent.',
    '',
    visible(question, 'text'),
    '',
    visible(context, 'text').trimEnd(),
    '',
  ];
  return `${begun}\n${about.join('\n')}`;
}
