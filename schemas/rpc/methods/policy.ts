import { z } from 'zod';
import { defineRead } from '../contract.ts';
import { PathText } from '../views/refs.ts';

/** The policy looks at each word for each word before it, also in a script. More would hold up the daemon. */
const MOST_WORDS = 2_000;

const Argv = z
  .array(z.string())
  .min(1)
  .max(MOST_WORDS, `give at most ${MOST_WORDS} words`)
  .refine((argv) => countWords(argv) <= MOST_WORDS, `give at most ${MOST_WORDS} words, with those of scripts`);

/** Also counts the words inside each argument. */
function countWords(argv: readonly string[]): number {
  return argv.reduce((count, text) => count + Math.max(1, text.match(/\S+/g)?.length ?? 0), 0);
}

export const policyCheck = defineRead({
  name: 'policy.check',
  summary: 'Say whether devflow would run this command itself',
  params: z.strictObject({ argv: Argv, cwd: PathText.optional() }),
  result: z.object({ allowed: z.boolean(), rule: z.string().nullable(), reason: z.string() }),
  withoutDaemon: true,
});
