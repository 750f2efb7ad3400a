import { z } from 'zod';

const line = z.number().int().positive();

/** A file that differs between two commits. */
export const ChangedFile = z.strictObject({
  /** Its path in the newer commit; in the older one if it was deleted. */
  path: z.string(),
  /** Its path in the older commit, if it was renamed. */
  from: z.string().nullable(),
  isDeleted: z.boolean(),
  /** `[old start, old lines, new start, new lines]`, as `git diff -U0` counts. */
  hunks: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
});
/** Events have room for so many. Other differences are left out. */
export const MOST_CHANGED_FILES = 500;
export type ChangedFile = z.infer<typeof ChangedFile>;

/** Where a quote stands in a commit. */
export const Anchor = z.strictObject({
  line,
  /** The first 100 characters from there that are not blank. */
  text: z.string(),
  /** 1 for the first place in the file with this text. */
  occurrence: z.number().int().positive(),
  /** Where it stood, if the change removed it. Then `line` is where it would be. */
  removed: z.strictObject({ path: z.string(), line }).optional(),
});
export type Anchor = z.infer<typeof Anchor>;
