import { untriedNote } from '../../sessions/profiles/untriedNote.ts';
import { type CheckResult, type Diagnosis, fail, pass, warn } from '../probe/check.ts';
import type { Trial } from './trial.ts';

/** The result of a trial, as a row of the doctor's output. */
export function rowOf(trial: Trial): CheckResult {
  const diagnosis = withNote(diagnose(trial), untriedNote(trial, trial.version));
  if (trial.survivors.length === 0) return { name: trial.id, ...diagnosis };
  const left = `${diagnosis.detail}; its processes ${trial.survivors.join(', ')} did not end`;
  return { name: trial.id, ...fail(left, `End them yourself: kill -9 ${trial.survivors.join(' ')}.`) };
}

/** The end of the name of a row about an agent in a sandbox. */
export const SANDBOX_ROW = '-sandbox';

/** The result in a sandbox, of an agent that is ready without one. Runs without a sandbox do not need it. */
export function sandboxRowOf(trial: Trial): CheckResult {
  const { detail, status } = diagnose(trial);
  const name = `${trial.id}${SANDBOX_ROW}`;
  if (status === 'pass') return { name, ...pass(`in a sandbox: ${detail}`) };
  const remediation = 'docs/sandbox.md says what it sees there. Start runs with it without a sandbox, and report it.';
  return { name, ...warn(`in a sandbox: ${detail}`, remediation) };
}

/** An untried version may still work, so it is never more than a warning. */
function withNote(diagnosis: Diagnosis, note: string | undefined): Diagnosis {
  if (note === undefined) return diagnosis;
  const detail = `${diagnosis.detail}; ${note}`;
  if (diagnosis.status !== 'pass') return { ...diagnosis, detail };
  return warn(
    detail,
    'devflow still starts it. If a run goes wrong with it, use a release that docs/backends.md names.',
  );
}

function diagnose(trial: Trial): Diagnosis {
  const { outcome, status, screen, cwd } = trial;
  const which = trial.version ?? 'unknown version';
  const after = `after ${(trial.tookMs / 1000).toFixed(1)} s`;
  switch (outcome) {
    case 'ready':
      return pass(`${which}: READY ${after} (${status.detail}); ${status.rule}`);
    case 'asks':
      return warn(`${which}: ${status.state} ${after}, ${status.about}: ${status.rule}`, answerTo(trial));
    case 'ended':
      return fail(
        `${which}: ${status.about} ${after}${lastRow(screen)}`,
        `Run ${trial.id} by hand in ${cwd} and read its output.`,
      );
    case 'late':
      return fail(
        `${which}: not recognized as READY ${after}; its state was ${status.state} because ${status.rule}${lastRow(screen)}`,
        `Run ${trial.id} by hand in ${cwd}. If it is ready there, devflow does not recognize this release: use a release that docs/backends.md names, and report it.`,
      );
    default:
      return outcome satisfies never;
  }
}

function lastRow(screen: readonly string[]): string {
  const row = screen.at(-1);
  return row === undefined ? ', and its screen is empty' : `; the last line on its screen: ${row}`;
}

/** `about` is the profile's name for a dialog. */
function answerTo({ id, logIn, status, cwd }: Trial): string {
  const by = `cd ${cwd} && ${id}`;
  if (status.state === 'LOGIN' || status.about === 'login') return `Log in: run ${logIn}.`;
  if (status.state === 'QUOTA') return 'Wait until the limit resets, or use another backend.';
  if (status.about === 'trust') {
    return `It asks this in every new folder, also in a repository of yours. Answer it once here (${by}), then run this again.`;
  }
  if (status.about === 'update') return `Update ${id}, or answer it by hand (${by}). A run would wait at this dialog.`;
  return `Answer it by hand (${by}). A run would wait at this question.`;
}
