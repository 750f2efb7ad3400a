import { FindingSeverity, type ReviewScope } from '../../../schemas/enums.ts';

export const oneOf = (words: readonly string[]) => words.map((word) => `"${word}"`).join(' | ');

/** The categories of `dev/review-finding-batch@1`. */
const CATEGORIES = ['correctness', 'evidence', 'style', 'security', 'performance', 'other'];

/** Texts to reviewers. Recorded prompt hashes contain them: a new wording needs a new behaviour number. */
export const LOOK: Readonly<Record<ReviewScope | 'prior' | 'artifact', string>> = {
  full: `Look at the whole change, which is in the Change file (as git diff <base> <head>), and at the code around it that it affects.`,
  delta: `The change was reviewed before, and then fixed. Look at the fix, which is in the Fix file. Report what the fix breaks or leaves
undone. What you find elsewhere is noted, but it is not fixed now, unless it is critical.`,
  closing: `Everything that was found is fixed. Look at the whole change, in the Change file, once more with fresh eyes. Report only
what is high or critical.`,
  prior: `Each Prior line is a defect that was to be fixed: its id, where it is now, how bad it was, and what it was. Look at each in
the code, and say in "prior" what you see: "fixed", "present", or "cannot_tell".`,
  artifact: `Change nothing. Every Quote line names lines of a changed file: read them in the worktree and quote their text in
"coverage". That shows that you read the file.

The artifact is one JSON object with the fields
  head, base  the commit ids of the Review line
  scope       {"kind": "full" | "delta" | "closing", "from": "<commit>"}, as in the Review line; without from if it has none
  coverage    list of {"path": "...", "witness": [{"line": 12, "text": "the text of line 12"}]}, every Quote line
  findings    list of defects; empty if you see none:
              {"ref": "F1", "category": ${oneOf(CATEGORIES)},
               "severity": ${oneOf(FindingSeverity.options)}, "path": "...", "line": 12, "endLine": 14,
               "quote": "the exact text of these lines", "symbol": "name of the function or type" | null,
               "claim": "what is wrong, in a sentence", "failure": "an input and the wrong result that follows",
               "evidence": ["what you read or ran that proves it"],
               "reproduce": {"argv": ["npm", "test", "--", "login"]} | null, "preExisting": true | false}
              reproduce: a command that fails because of the defect: the words of a Check line, and more if you like.
              devflow runs it, and no other one. null if there is none.
              preExisting: the change did not cause it.
  prior       list of {"id": "...", "verdict": "fixed" | "present" | "cannot_tell", "evidence": "..."}, every Prior line`,
};

export const VERDICT = `Other reviewers reported defects in the change at {{worktree}}. Check each of them, and trust none: read the code that it names,
follow what really happens, and try to prove it wrong. Change nothing.

{{review}}

Say of every Finding
- confirmed: the code does what the finding says, and that is wrong;
- rejected: it does not. Quote the line that shows it, exactly as it is in the file. Without a quote that devflow finds there, a
  severe finding stays open;
- duplicate: another Finding or Known is the same defect. Name it in duplicateOf, and quote a line of this one;
- cannot_tell: the code does not decide it. That is better than a guess.

The artifact is one JSON object with the field
  verdicts    list of {"id": "...", "verdict": "confirmed" | "rejected" | "duplicate" | "cannot_tell", "duplicateOf": "id" | null,
              "quote": {"path": "...", "line": 12, "text": "the exact text of line 12"} | null, "reason": "..."},
              every Finding exactly once`;

export const FIX = `Your work at {{worktree}} was reviewed. Fix there what the lines below name: each Finding, each Failed check, and
what a person asked for.

{{review}}

- Fix the cause, and add or adapt a test for it. Look for the same mistake elsewhere in the change.
- Change nothing else: what you touch is reviewed again.
- If a finding is wrong, do not change code to please it: answer "disputed" and say why.
- Do not commit, do not switch branches, do not push: devflow commits your changes.

When everything is done, and only then, write the artifact. It is one JSON object with the fields
  summary     string, what you changed
  answers     list of {"id": "...", "action": "fixed" | "disputed" | "wont_fix", "note": "what you did, or why not"}, every Finding
              exactly once; empty if there is none`;
