import { METRICS_VARIABLE } from '../../../schemas/objective/measuringEnvironment.ts';
import { PRINTED } from '../../../schemas/objective/objective.ts';
import { oneSpaced } from '../../../schemas/text/phrases.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { Look } from '../../kinds/review/state.ts';
import { measuresApart } from '../run/behaviour.ts';
import type { Run } from '../run/state.ts';
import { isMeasured, measureOf, objectiveOf } from './measuring.ts';

/** Code must name these to write a measurement: the variable, and the file. */
export function metricsNames(run: Run): { metricsNames?: string[] } {
  if (!isMeasured(run) || !measuresApart(run)) return {};
  const { file } = measureOf(run);
  return { metricsNames: file === null || file === PRINTED ? [METRICS_VARIABLE] : [METRICS_VARIABLE, file] };
}

/** A warning to reviewers: the measurement ran the code under review, which can write it, too. */
export function measuredLines(run: Run, { brief }: Pick<Look, 'brief'>): string[] {
  const named = brief?.metricsNamedIn;
  if (named === undefined) return [];
  const { protected: globs } = objectiveOf(run);
  return [
    `Measured by: ${plain(measureOf(run).argv.join(' '))}`,
    ...globs.map((glob) => `Protected: ${plain(glob)}`),
    ...named.map((path) => `Names where the measurement is written: ${plain(path)}`),
    MEASURED,
  ];
}

const MEASURED = `The command of the Measured line ran the code of this change, and that code can write or change the measurement, too. Report it if
anything but the evaluator writes to $${METRICS_VARIABLE}, or reads what neither the commit nor the evaluator made.`;

const plain = (text: string) => visible(oneSpaced(text));
