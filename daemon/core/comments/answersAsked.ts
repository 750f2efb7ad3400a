import type { Assignment } from '../run/state.ts';

/** The file in which an agent answers comments, beside its artifact. */
export function answersPath(artifactPath: string): string {
  const at = artifactPath.lastIndexOf('/') + 1;
  const name = artifactPath.slice(at) === 'answers.json' ? 'comment-answers.json' : 'answers.json';
  return `${artifactPath.slice(0, at)}${name}`;
}

/** What the prompt says about answers. Recorded prompts contain it: a new wording needs a new behaviour number. */
export function answersText({ comments }: Pick<Assignment, 'comments'>, artifactPath: string): string {
  return `Comments: ${comments.join(', ')}
Answers: ${answersPath(artifactPath)}
Answer each of these comments in that file, and write it before the artifact. It is one JSON object with the field answers: a list of
{"id": "c1", "action": "fixed" | "answered" | "disputed" | "wont_fix", "note": "..."} with each id exactly once. fixed: you changed the
work as the comment says. answered: the note answers a question. disputed: you think that the comment is wrong. wont_fix: it is
right, and the work stays as it is. note says in a sentence or two what you did, or why.`;
}
