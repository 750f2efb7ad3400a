import { dirname, relative } from 'node:path';
import { jsonDocument } from '../../../schemas/contracts/document/json.ts';
import { writeWhole } from './lane/worktreeFiles.ts';

/** The comments that a prompt asks an agent to answer, and the file for the answers. */
export interface AskedComments {
  ids: string[];
  /** Those of them that ask something. */
  questions: string[];
  path: string;
}

/** Reads the lines `Comments:` and `Answers:` of a prompt; undefined without any. Pure. */
export function askedComments(instructions: string): AskedComments | undefined {
  const [, listed = ''] = /^Comments: (c\d+(?:, c\d+)*)$/m.exec(instructions) ?? [];
  const [, path = ''] = /^Answers: (\/.+)$/m.exec(instructions) ?? [];
  if (listed === '' || path === '') return undefined;
  const questions = [...instructions.matchAll(/^(c\d+): a question about /gm)].map(([, id = '']) => id);
  return { ids: listed.split(', '), questions, path };
}

/** The text of the answers. The scenario `no-answers` leaves the last one out. Pure. */
export function answersOf({ ids, questions }: AskedComments, scenario: string): string {
  const answered = scenario === NO_ANSWERS ? ids.slice(0, -1) : ids;
  const answers = answered.map((id) =>
    questions.includes(id)
      ? { id, action: 'answered', note: `This answers ${id}.` }
      : { id, action: 'fixed', note: `Did what ${id} says.` },
  );
  return jsonDocument({ answers });
}

export const NO_ANSWERS = 'no-answers';

/** Writes the answers before the artifact, as the prompt says. A prompt of another worktree is none of this agent's. */
export function writeAnswers(cwd: string, artifact: string, asked: AskedComments, scenario: string): void {
  if (dirname(asked.path) === dirname(artifact)) writeWhole(cwd, relative(cwd, asked.path), answersOf(asked, scenario));
}
