import { visible } from '../../../schemas/text/visible.ts';
import type { checkPolicy } from '../../policy/policy.ts';
import { directoryOf, stepInto, upwards } from '../candidate/paths.ts';
import { type Bodies, MOST_WORDS } from './walk.ts';

/** The texts that run with a command, after a look at each. */
export interface Judged extends Omit<Bodies, 'needs'> {
  /** The reason why it ends with 0 whatever it checks; undefined for one that can fail. */
  cannotFail?: string | undefined;
}

/**
 * Asks the policy about each text. A text that devflow cannot parse with certainty is no fault: a person sees it in the list.
 * `rm -rf dist` is none either, because the command works in a checkout that devflow removes.
 */
export function judgeBodies(found: Bodies, policy: typeof checkPolicy, paths: ReadonlySet<string>): Judged {
  const { bodies } = found;
  const unread = [...found.unread];
  let refused: string | undefined;
  const directories = new Set([...paths].flatMap((path) => upwards(directoryOf(path))));
  for (const { path, line, text } of bodies) {
    if (hasEndlessCommand(text)) {
      refused ??= visible(`a command has more than ${MOST_WORDS} words (${path}:${line})`);
      continue;
    }
    const { allowed, rule, reason } = policy(['sh', '-c', withoutOwnRemovals(text, directories)]);
    if (allowed) continue;
    if (rule === 'shell_unreadable') unread.push(`${path}:${line}`);
    else refused ??= visible(`${rule}: ${reason} (${path}:${line})`);
  }
  return { bodies, unread, refused: refused ?? found.refused };
}

function hasEndlessCommand(text: string): boolean {
  return text.split(/[\n;&|]/).some((each) => each.trim().split(/\s+/).length > MOST_WORDS);
}

const REMOVAL =
  /(^|[;&|\n({]|\b(?:then|do|else)\b)([ \t]*)rm((?:[ \t]+-[rRfvd]+)+)((?:[ \t]+[\w@.][\w.@/-]*)+)[ \t]*(?=$|[;&|\n)}])/g;
const CHANGE = /\b(?:cd|pushd|popd|chdir)\b[ \t]*([^;&|\n)}]*)/g;

/** Leaves out removals of what lies below the checkout, as far as that is certain. */
function withoutOwnRemovals(text: string, directories: ReadonlySet<string>): string {
  const moves = [...text.matchAll(CHANGE)].map(([, to = '']) => to.trim());
  if (moves.some((to) => !/^[\w@][\w.@/-]*$/.test(to) || to.split('/').includes('..'))) return text;
  return text.replaceAll(REMOVAL, (whole, before: string, space: string, _options, operands: string) => {
    const isOwn = operands
      .trim()
      .split(/[ \t]+/)
      .every((operand) => isBelow(operand, directories));
    return isOwn ? `${before}${space}true` : whole;
  });
}

/** The parent must be a directory of the commit, because anything else could be a link that leads outside. */
function isBelow(operand: string, directories: ReadonlySet<string>): boolean {
  if (operand.split('/').includes('..')) return false;
  const path = stepInto('.', operand.replace(/\/$/, ''));
  return path !== undefined && path !== '.' && directories.has(directoryOf(path));
}
