import { z } from 'zod';

/** Why two tasks may write the same files. */
export const SharedReason = z.object({
  /**
   * `file`: both may write files that exist. `forbidden`: both may write files of one entry of the list that no two tasks may
   * share. `pattern`: their globs can match the same path. `undecided`: perhaps they can.
   */
  kind: z.enum(['file', 'forbidden', 'pattern', 'undecided']),
  files: z.array(z.string()).optional(),
  /** How many files there are. */
  count: z.number().int().optional(),
  glob: z.string().optional(),
  globs: z.array(z.string()).optional(),
});
export type SharedReason = z.infer<typeof SharedReason>;

/** The pairs of tasks that a gate `parallel_dag_approved` asks about. */
const Pairs = z.array(z.object({ a: z.string(), b: z.string(), reasons: z.array(SharedReason) }));
export type SharedPair = z.infer<typeof Pairs>[number];

/** The pairs in the subject of a gate; none if it has another form. */
export function sharedPairs(subject: Readonly<Record<string, unknown>>): SharedPair[] {
  return Pairs.safeParse(subject.pairs).data ?? [];
}

/** The reason in words. */
export function sharedReasonWords({ kind, files = [], count, glob = '', globs = [] }: SharedReason): string {
  switch (kind) {
    case 'file': {
      const all = count ?? files.length;
      const rest = all - files.length;
      return `both may write ${files.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    }
    case 'forbidden':
      return `both may write ${glob}, which parallel tasks must not share`;
    case 'pattern':
      return `${globs.join(' and ')} can mean the same file`;
    case 'undecided':
      return `${globs.join(' and ')} may mean the same file`;
    default:
      return kind satisfies never;
  }
}
