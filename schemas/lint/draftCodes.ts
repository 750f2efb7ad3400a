/** The meaning of a code about the draft of a template. `docs/lint.md` is made from this table. */
export interface DraftRule {
  /** The fault, as a clause that begins in lower case. */
  means: string;
  /** The author's next step, as a sentence. */
  hint: string;
}

/** devflow's checks of a draft beside lint and walk. A code is never renamed or used again for something else. */
export const DRAFT_CODES = {
  uncited_command: {
    means: 'a command of the template cites no fact of the repository',
    hint: 'Cite the fact that has this command, or leave the command out.',
  },
  wrong_citation: {
    means: 'a citation names a fact that does not exist, or that is another command',
    hint: 'Cite the fact whose argv is the command, word for word.',
  },
  unusable_fact: {
    means: 'the fact shows nothing: its command is not green, is only in a document, or runs outside of the root',
    hint: 'Take a fact whose probe is green and whose source is ci or manifest.',
  },
  known_artifact: {
    means: 'an artifact schema of the draft has an id that exists, or that the draft has twice',
    hint: 'Take another id.',
  },
  unusable_artifact: {
    means: 'an artifact schema of the draft is no usable JSON Schema, or does not agree with its examples',
    hint: 'Write a schema that accepts ok and refuses invalid, without regular expressions.',
  },
} as const satisfies Record<string, DraftRule>;
export type DraftCode = keyof typeof DRAFT_CODES;
