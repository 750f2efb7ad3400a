import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../schemas/files/paths.ts';
import { CHECKS } from './checks/index.ts';
import { type Check, type CheckResult, type DoctorSubject, type Examined, fail } from './probe/check.ts';

/** Longer than the time-out of any single step of a check. */
const TIMEOUT_MS = 12_000;

/** Runs all checks in parallel. Never rejects, and takes 12 s at most. */
export async function runDoctor(subject: DoctorSubject, checks: readonly Check[] = CHECKS): Promise<CheckResult[]> {
  const examined = examine(subject);
  return Promise.all(checks.map((check) => runCheck(check, examined)));
}

/** Fills in the defaults from this process. */
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
  const done = new AbortController();
  const late = sleep(TIMEOUT_MS, undefined, { signal: done.signal }).then(
    () =>
      fail(
        `no answer in ${TIMEOUT_MS / 1000} s`,
        'Try again. If it happens again, the program or server that it asks hangs.',
      ),
    () => fail('ended', ''),
  );
  try {
    const finding = await Promise.race([(async () => check.run(subject))(), late]);
    return { name: check.name, ...finding };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name: check.name, ...fail(`the check failed: ${why}`, 'Fix the cause, then try again.') };
  } finally {
    done.abort();
  }
}
