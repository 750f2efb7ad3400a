import type { Part, Range } from './objective.ts';

/** The variable with the directory that a command writes its measurement to. Its value stands in no event. */
export const METRICS_VARIABLE = 'DEVFLOW_METRICS';

/** The variables of a measuring command, beside `METRICS_VARIABLE`. `nth`: the measurement in its iteration, from 0. */
export function measuringEnvironment({
  nth,
  part,
  range,
}: {
  nth?: number;
  part: Part;
  range: Range | null;
}): Record<string, string> {
  return {
    ...(nth === undefined ? {} : { DEVFLOW_MEASUREMENT: String(nth) }),
    DEVFLOW_SPLIT: part,
    ...(range ? { DEVFLOW_FROM: range.from, DEVFLOW_TO: range.to } : {}),
  };
}
