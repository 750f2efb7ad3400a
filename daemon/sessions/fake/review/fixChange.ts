import { z } from 'zod';

/** A fixer's change besides, or in place of, its ordinary work. */
export const FixChange = z.discriminatedUnion('what', [
  z.object({ what: z.literal('nothing') }),
  z.object({ what: z.literal('adds'), path: z.string(), lines: z.number() }),
  z.object({ what: z.literal('moves'), path: z.string(), to: z.string(), lines: z.number() }),
]);
export type FixChange = z.infer<typeof FixChange>;

/** Reads the values of `Fixes:` lines. Ignores what it does not know. Pure. */
export function readChanges(values: readonly string[]): FixChange[] {
  return values.flatMap((value): FixChange[] => {
    if (value === 'nothing') return [{ what: 'nothing' }];
    const [adds, path = '', lines] = /^adds (\S+) (\d{1,4})$/.exec(value) ?? [];
    if (adds !== undefined) return [{ what: 'adds', path, lines: Number(lines) }];
    const [moves, source = '', to = '', more] = /^moves (\S+) (\S+) (\d{1,4})$/.exec(value) ?? [];
    return moves === undefined ? [] : [{ what: 'moves', path: source, to, lines: Number(more) }];
  });
}
