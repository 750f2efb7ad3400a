import { BATCH_CATEGORIES, type BatchCategory, FindingSeverity, type ReviewScope } from '../../../schemas/enums.ts';
import { LOOK, oneOf, VERDICT } from './prompts.ts';

/** Texts from behaviour 5 on. They say how to cite removed lines, and what an agent that only reads can do. */

/** In the order in which the published templates ask for them. */
const MEANS: Readonly<Record<BatchCategory, string>> = {
  correctness: 'wrong results, or something other than what was asked for',
  security: 'somebody gets or does what they must not',
  data_loss: 'data is deleted, overwritten or half written',
  concurrency: 'it depends on the order in which things happen',
  error_handling: 'an error is swallowed, mistaken for success, or leaves something behind',
  tests: 'a test proves nothing, or a case has none',
  interface: 'it breaks those who use it, or a name, type or document says what is not so',
  other: 'a defect of another kind',
};

const categories = BATCH_CATEGORIES.map((name) => `                ${name}: ${MEANS[name]}`).join('\n');

const ARTIFACT = `Change nothing. Every Quote line names lines of a changed file: read them in the worktree and quote their text in
"coverage". Every Quote removed line names lines that are gone: read them in the file of that path below the Before directory,
which has the old text of files that lost lines. That shows that you read the files.

The artifact is one JSON object with the fields
  head, base  the commit ids of the Review line
  scope       {"kind": "full" | "delta" | "closing", "from": "<commit>"}, as in the Review line; without from if it has none
  coverage    list of {"path": "...", "witness": [{"line": 12, "text": "the text of line 12"}]}, every Quote line; and of
              {"path": "...", "side": "old", "witness": [...]}, every Quote removed line
  findings    list of defects; empty if you see none:
              {"ref": "F1", "category": ${oneOf(BATCH_CATEGORIES)},
               "severity": ${oneOf(FindingSeverity.options)}, "path": "...", "line": 12, "endLine": 14,
               "quote": "the exact text of these lines", "symbol": "name of the function or type" | null,
               "claim": "what is wrong, in a sentence", "failure": "an input and the wrong result that follows",
               "evidence": ["what shows it"],
               "reproduce": {"argv": ["npm", "test", "--", "login"]} | null, "preExisting": true | false}
              category:
${categories}
              A defect that removed lines cause: cite one of them, with "side": "old", its path and line before the change,
              and its text from the Before directory.
              reproduce: a command that fails because of the defect: the words of a Check line, and more if you like.
              devflow runs it, and no other one. null if there is none.
              preExisting: the change did not cause it.
  prior       list of {"id": "...", "verdict": "fixed" | "present" | "cannot_tell", "evidence": "..."}, every Prior line`;

export const LOOK_FROM_5: Readonly<Record<ReviewScope | 'prior' | 'artifact', string>> = {
  ...LOOK,
  artifact: ARTIFACT,
};

export const VERDICT_FROM_5 = VERDICT.replace(
  '- duplicate:',
  `  For a finding about a removed line, a quote of the file as it was counts too: see the Before directory.
- duplicate:`,
);
