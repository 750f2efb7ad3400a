import { trySandbox } from '../../daemon/sandbox/trySandbox.ts';
import { SandboxWish } from '../../schemas/sandbox.ts';

/** Why this machine has no sandbox; undefined if it has. CI installs bubblewrap; elsewhere its tests are skipped. */
export const noSandboxBecause: string | undefined = await trySandbox(
  SandboxWish.parse({ level: 'all' }),
  process.env,
).then(
  () => undefined,
  (error) => String(error),
);
