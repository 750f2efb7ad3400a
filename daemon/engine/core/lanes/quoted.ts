import { visible } from '../../../../schemas/visible.ts';

/** Text of an agent or a program inside a prompt, at most so many characters. No line of it can look like one of devflow's. */
export function quoted(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const shown = text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
  return shown.split('\n').map((line) => `> ${visible(line)}`.trimEnd());
}
