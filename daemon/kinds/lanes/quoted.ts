import { cutTo } from '../../../schemas/text/phrases.ts';
import { visible } from '../../../schemas/text/visible.ts';

/** Text of an agent or a program inside a prompt, at most so many characters. No line of it can look like one of devflow's. */
export function quoted(text: string, most = Number.POSITIVE_INFINITY): string[] {
  return cutTo(text, most)
    .split('\n')
    .map((line) => `> ${visible(line)}`.trimEnd());
}
