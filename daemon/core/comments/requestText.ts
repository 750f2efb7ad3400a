import type { Comment } from '../../../schemas/comments/comment.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { Run } from '../run/state.ts';

/** Recorded prompts contain these texts: a new wording needs a new behaviour number. */
const HEAD = 'Comments on the work. Lines that begin with | are quoted:';

/** A request for changes with the comments of a person, as agents read it. */
export function requestText(run: Run, comment: string | null, comments: readonly Comment[]): string | null {
  if (comments.length === 0) return comment;
  const blocks = comments.map((each) => commentBlock(run, each));
  return [...(comment === null ? [] : [comment]), HEAD, ...blocks].join('\n\n');
}

/** The same without the comments that a text has already; undefined if it has all. */
export function missingComments(run: Run, ids: readonly string[], text: string): string | undefined {
  const blocks = run.comments.filter(({ id }) => ids.includes(id)).map((each) => commentBlock(run, each));
  const missing = blocks.filter((block) => !text.includes(block));
  return missing.length === 0 ? undefined : [HEAD, ...missing].join('\n\n');
}

/** One comment. No line of its quote or text begins a line of the prompt. */
function commentBlock(run: Run, comment: Comment): string {
  const { id, kind, quote, text } = comment;
  return [
    `${id}: a ${kind === 'question' ? 'question about' : 'change of'} ${placeText(run, comment)}`,
    ...(quote === '' ? [] : ['It reads:', ...quoted(quote)]),
    'The comment:',
    ...quoted(text),
  ].join('\n');
}

/** The place of a comment, in words. */
export function placeText({ artifacts }: Pick<Run, 'artifacts'>, comment: Comment): string {
  const { path, side, line, endLine, artifact, pointer } = comment;
  if (artifact !== null) {
    const { schema = 'the document' } = artifacts.findLast((each) => each.hash === artifact) ?? {};
    return pointer ? `${schema} at ${visible(pointer)}` : schema;
  }
  if (path === null) return 'the whole';
  const name = visible(path);
  if (line === null) return `the file ${name}`;
  const lines = endLine === null || endLine === line ? `line ${line}` : `lines ${line}-${endLine}`;
  return side === 'old' ? `removed ${lines} of ${name}` : `${name}, ${lines}`;
}

/** Terminals and other programs end lines at all of these. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function quoted(text: string): string[] {
  return text.split(LINE_END).map(
    (line) =>
      `| ${line
        .split('\t')
        .map((part) => visible(part, 'code'))
        .join('\t')}`,
  );
}
