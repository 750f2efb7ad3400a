import type { NewComment } from '../../../../../schemas/comments/comment.ts';
import type { Draft, Review } from '../../../../../schemas/comments/draft.ts';
import type { Command, Model } from '../../../../../tui/model/model.ts';
import { update } from '../../../../../tui/update/update.ts';
import { type Answers, detail, gate, given, lists, press, rows } from '../../givenScreen.ts';

export const ID = '11111111-0000-4000-8000-000000000001';
export const SHOWN = 'a'.repeat(64);
export const PATCH = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@
 one
-two
+2
+${'long '.repeat(40)}漢字
 three
diff --git a/b.ts b/b.ts
new file mode 100644
--- /dev/null
+++ b/b.ts
@@ -0,0 +1,40 @@
${Array.from({ length: 40 }, (_, nth) => `+line ${nth + 1}\n`).join('')}`;
/** A gate with two changed files. */
export const FULL = detail(ID, {
  shown: SHOWN,
  takesComments: true,
  diff: {
    ...{ base: 'a', head: 'b', patch: PATCH, truncated: false },
    files: [
      { path: 'src/a.ts', insertions: 2, deletions: 1 },
      { path: 'b.ts', insertions: 40, deletions: 0 },
    ],
  },
});

export const answersOf = (approval = FULL): Answers =>
  lists({ 'approval.list pending': [gate(ID)], [`approval.get ${ID}`]: approval });

/** The gate, at its changes. */
export const shown = (approval = FULL, size = { columns: 80, rows: 24 }): Model =>
  press(given({ screen: 'approval', id: ID }, answersOf(approval), size), 'tab').model;

export const EMPTY: Review = { drafts: [], read: [], sending: undefined, inFlight: [], strange: 0 };
let made = 0;

/** The files of a review, as they are after the commands. */
export function answered(model: Model, commands: readonly Command[]): Model {
  const acts = commands.flatMap((command) => (command.type === 'drafts' ? command.acts : []));
  let { drafts, read, ...rest } = model.reviews.get(ID) ?? EMPTY;
  for (const act of acts) {
    if (act.do === 'mark') {
      read = [...read.filter((each) => each !== act.mark), ...(act.isRead ? [act.mark] : [])];
    } else if (act.do === 'remove') {
      drafts = drafts.filter(({ id }) => id !== act.draft.id);
    } else if (act.do === 'write') {
      made += 1;
      const { draft: before, comment } = act;
      const id = before?.id ?? `draft-${made}`;
      const draft: Draft = { id, approvalId: ID, shown: SHOWN.slice(0, 12), at: '2026-01-01T00:00:00.000Z', comment };
      drafts = [...drafts.filter((each) => each.id !== id), draft];
    }
  }
  return update(model, { type: 'review', approvalId: ID, review: { drafts, read, ...rest } }, model.now).model;
}

export function play(model: Model, ...keys: string[]): Model {
  const next = press(model, keys);
  return answered(next.model, next.commands);
}

export const typed = (words: string) => [...words];
export const commentsOf = (model: Model): NewComment[] =>
  (model.reviews.get(ID)?.drafts ?? []).map(({ comment }) => comment);
export const cursorRow = (model: Model) => rows(model).find((each) => each.startsWith('❯'));
/** The cursor on the row that begins like this. */
export function at(model: Model, begin: string): Model {
  for (let here = model, left = 100; left > 0; left -= 1, here = play(here, 'j')) {
    if (cursorRow(here)?.startsWith(`❯${begin}`)) return here;
  }
  throw new Error(`no row ${begin}`);
}
