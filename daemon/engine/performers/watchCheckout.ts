import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readRegularText } from '../../../schemas/files/openRegular.ts';
import { runDirWith } from '../../../schemas/files/runPaths.ts';
import { orElse } from '../../../schemas/orElse.ts';
import type { CheckoutChange } from '../../../schemas/worktreeState.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import { changeOf, stampCheckout } from '../../repository/checkout/checkoutStamp.ts';

/** A look at the checkout before the first prompt of a turn, and what the end of that turn found. */
const Watch = z.object({
  before: z.object({ commit: z.string().nullable(), files: z.record(z.string(), z.string()) }),
  /** `by`: the effect that compared. After a kill, it finds the same again. */
  ended: z
    .object({ by: z.string(), change: z.object({ paths: z.array(z.string()), headMoved: z.boolean() }).nullable() })
    .optional(),
});
type Watch = z.infer<typeof Watch>;

const MOST_BYTES = 4 * 1024 * 1024;

/** Before an agent gets a prompt: remembers the person's checkout, unless an earlier prompt of the same work did. */
export async function beginWatch(lane: LanePlace): Promise<void> {
  // Its agent works there, and the directory beside it is the person's.
  if (lane.isCheckout) return;
  const file = fileOf(lane);
  const watch = readWatch(file);
  if (watch && !watch.ended) return;
  const before = await stampCheckout(lane.repoPath);
  if (before) await write(file, { before });
}

/** After the agent's work: what changed in the person's checkout meanwhile; undefined if nothing did, or nobody looked. */
export async function endWatch(lane: LanePlace, key: string): Promise<CheckoutChange | undefined> {
  if (lane.isCheckout) return undefined;
  const file = fileOf(lane);
  const watch = readWatch(file);
  if (!watch) return undefined;
  if (watch.ended) return watch.ended.by === key ? (watch.ended.change ?? undefined) : undefined;
  const after = await stampCheckout(lane.repoPath);
  const change = after && changeOf(watch.before, after);
  await write(file, { ...watch, ended: { by: key, change: change ?? null } });
  return change;
}

function fileOf({ path }: LanePlace): string {
  return join(runDirWith(path), 'checkout', `${basename(path)}.json`);
}

/** Undefined also for a file that devflow did not write: an agent may reach it. */
function readWatch(file: string): Watch | undefined {
  return orElse(() => Watch.safeParse(JSON.parse(readRegularText(file, MOST_BYTES) ?? '')).data);
}

/** Best effort: a run goes on without it. */
async function write(file: string, watch: Watch): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.tmp`, JSON.stringify(watch), { mode: 0o600 });
    await rename(`${file}.tmp`, file);
  } catch {
    // Without the file, devflow compares nothing in this turn.
  }
}
