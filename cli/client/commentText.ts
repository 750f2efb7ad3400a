import { visible } from '../../schemas/visible.ts';

/** As `git commit -v` does it: what stands from this line on is no part of the comment. */
export const SCISSORS = '------------------------ >8 ------------------------';

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

/** The comment alone; undefined where the scissors were removed, and devflow cannot tell it from what it is about. */
export function commentOf(edited: string): string | undefined {
  const lines = edited.split(/\r?\n/);
  const end = lines.findIndex((each) => each.trimEnd() === SCISSORS);
  return end < 0 ? undefined : lines.slice(0, end).join('\n').trim();
}
