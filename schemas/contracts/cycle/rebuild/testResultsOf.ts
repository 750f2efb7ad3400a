import { isTimeText } from '../../document/calendar.ts';
import { isMap } from '../../document/fields.ts';
import type { TestResults } from '../state/cycleState.ts';

/** Test results as a document has them. Other programs write `summary`, `coverage.lines` and `by_suite`. */
export function testResultsOf(object: Record<string, unknown>, time: string): TestResults {
  const summary = isMap(object.summary) ? object.summary : {};
  const { version = '1.0.0', timestamp, last_run = timestamp, total_tests = summary.total } = object;
  const { pass_rate = rateOf(summary), failed_tests = failedOf(object.by_suite), coverage } = object;
  return {
    ...object,
    version,
    pass_rate,
    coverage: isMap(coverage) ? coverage.lines : coverage,
    failed_tests,
    total_tests,
    last_run: isTimeText(last_run) ? last_run : time,
  } as TestResults;
}

/** Not rounded: 29,999 of 30,000 is not 100. */
function rateOf({ total, passed }: Record<string, unknown>): number | undefined {
  if (typeof total !== 'number' || typeof passed !== 'number') return undefined;
  return total === 0 ? 0 : (passed / total) * 100;
}

function failedOf(suites: unknown): string[] {
  return listOf(suites).flatMap(({ tests }) =>
    listOf(tests).flatMap(({ name, status }) => (status === 'failed' && typeof name === 'string' ? [name] : [])),
  );
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isMap) : [];
}
