import { type CheckResult, type Diagnosis, fail, pass, warn } from '../check.ts';
import type { Trial } from './trial.ts';

/** What a trial showed, as a row of the doctor's. */
export function rowOf(trial: Trial): CheckResult {
  const finding = judge(trial);
  if (trial.survivors.length === 0) return { name: trial.id, ...finding };
  const left = `${finding.detail}; of its processes ${trial.survivors.join(', ')} would not end`;
  return { name: trial.id, ...fail(left, 'End them yourself: kill -9, by these numbers.') };
}

function judge(trial: Trial): Diagnosis {
  const { outcome, verdict, screen, cwd } = trial;
  const which = trial.version ?? 'a version that it does not tell';
  const after = `after ${(trial.tookMs / 1000).toFixed(1)} s`;
  switch (outcome) {
    case 'ready':
      return pass(`${which}: READY ${after} (${verdict.detail}); ${verdict.rule}`);
    case 'asks':
      return warn(`${which}: ${verdict.state} ${after}, ${verdict.about}: ${verdict.rule}`, answerTo(trial));
    case 'ended':
      return fail(
        `${which}: ${verdict.about} ${after}${lastRow(screen)}`,
        `Run ${trial.id} by hand in ${cwd}, and read what it says.`,
      );
    case 'late':
      return fail(
        `${which}: READY was not recognised ${after}; it was ${verdict.state}, since ${verdict.rule}${lastRow(screen)}`,
        `If ${trial.id} stands ready when you run it by hand in ${cwd}, this release changed what it shows: use one that docs/backends.md names, and tell of it.`,
      );
    default:
      return outcome satisfies never;
  }
}

function lastRow(screen: readonly string[]): string {
  const row = screen.at(-1);
  return row === undefined ? ', and its screen is empty' : `; the last it shows is: ${row}`;
}

/** `about` is the name that the profile gave to a dialog. */
function answerTo({ id, logIn, verdict, cwd }: Trial): string {
  const by = `cd ${cwd} && ${id}`;
  if (verdict.state === 'LOGIN' || verdict.about === 'login') return `Log in: run ${logIn}.`;
  if (verdict.state === 'QUOTA') return 'Wait until the limit is over, or use another backend.';
  if (verdict.about === 'trust') {
    return `It asks so in every folder that is new to it, and in a repository of yours that it does not know. Answer it here once (${by}), and try again to see the rest.`;
  }
  if (verdict.about === 'update') return `Update ${id}, or answer it by hand (${by}); a run would stand still there.`;
  return `Answer it by hand (${by}); a run would stand still there.`;
}
