import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../schemas/files/paths.ts';
import { type Check, type CheckResult, type DoctorSubject, type Examined, fail } from './check.ts';
import { CHECKS } from './checks/index.ts';

/** Above the patience of any single question within a check. */
const PATIENCE_MS = 12_000;

/** Every check, side by side; never rejects, and takes 12 s at most. */
export async function runDoctor(subject: DoctorSubject, checks: readonly Check[] = CHECKS): Promise<CheckResult[]> {
  const examined = examine(subject);
  return Promise.all(checks.map((check) => runCheck(check, examined)));
}

/** The subject with what it leaves out taken from this process. */
export function examine(subject: DoctorSubject): Examined {
  return {
    ...subject,
    env: subject.env ?? process.env,
    nodeVersion: subject.nodeVersion ?? process.versions.node,
    cwd: subject.cwd ?? process.cwd(),
    packageDir: subject.packageDir ?? packageRoot(),
  };
}

async function runCheck(check: Check, subject: Examined): Promise<CheckResult> {
  const patience = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(
    () => fail(`no answer in ${PATIENCE_MS / 1000} s`, 'Try again; if it stays so, the thing it asks hangs.'),
    () => fail('ended', ''),
  );
  try {
    const finding = await Promise.race([(async () => check.run(subject))(), late]);
    return { name: check.name, ...finding };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name: check.name, ...fail(`the check could not be made: ${why}`, 'Mend what it names, and try again.') };
  } finally {
    patience.abort();
  }
}
