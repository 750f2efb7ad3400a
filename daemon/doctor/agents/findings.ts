import { type CheckResult, type Diagnosis, fail, pass, warn } from '../probe/check.ts';
import type { Trial } from './trial.ts';

/** The result of a trial, as a row of the doctor's output. */
export function rowOf(trial: Trial): CheckResult {
  const diagnosis = diagnose(trial);
  if (trial.survivors.length === 0) return { name: trial.id, ...diagnosis };
  const left = `${diagnosis.detail}; its processes ${trial.survivors.join(', ')} did not end`;
  return { name: trial.id, ...fail(left, `End them yourself: kill -9 ${trial.survivors.join(' ')}.`) };
}

function diagnose(trial: Trial): Diagnosis {
  const { outcome, verdict, screen, cwd } = trial;
  const which = trial.version ?? 'unknown version';
  const after = `after ${(trial.tookMs / 1000).toFixed(1)} s`;
  switch (outcome) {
    case 'ready':
      return pass(`${which}: READY ${after} (${verdict.detail}); ${verdict.rule}`);
    case 'asks':
      return warn(`${which}: ${verdict.state} ${after}, ${verdict.about}: ${verdict.rule}`, answerTo(trial));
    case 'ended':
      return fail(
        `${which}: ${verdict.about} ${after}${lastRow(screen)}`,
        `Run ${trial.id} by hand in ${cwd} and read its output.`,
      );
    case 'late':
      return fail(
        `${which}: not recognized as READY ${after}; its state was ${verdict.state} because ${verdict.rule}${lastRow(screen)}`,
        `Run ${trial.id} by hand in ${cwd}. If it is ready there, this release looks different: use one that docs/backends.md names, and report it.`,
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
function answerTo({ id, logIn, verdict, cwd }: Trial): string {
  const by = `cd ${cwd} && ${id}`;
  if (verdict.state === 'LOGIN' || verdict.about === 'login') return `Log in: run ${logIn}.`;
  if (verdict.state === 'QUOTA') return 'Wait until the limit resets, or use another backend.';
  if (verdict.about === 'trust') {
    return `It asks this in every new folder, also in a repository of yours. Answer it once here (${by}), then run this again.`;
  }
  if (verdict.about === 'update') return `Update ${id}, or answer it by hand (${by}). A run would wait at this dialog.`;
  return `Answer it by hand (${by}). A run would wait at this question.`;
}
