import { shorten } from '../../text/phrases.ts';
import { isMap, ownValue } from '../document/fields.ts';
import { notAnObject, readJson } from '../document/json.ts';
import { type Finding, finding } from '../report/report.ts';
import { DAY_MS, STATE_CONTRACT, STATE_DIR } from './contract.ts';
import { timeOf } from './workflowFile.ts';

export const PROBE_LOG = `${STATE_DIR}/probe-failures.jsonl`;
/** Further findings of one kind are left out. */
const MOST = 20;
/** Only the end of a longer log is read, and nothing after so many bad lines. */
const MOST_LINES = 50_000;
const MOST_BAD_LINES = 1000;

/** The findings of the log of failed probes. Everything in it only warns. */
export function checkProbeLog(text: string, now: number): Finding[] {
  const invalid: Finding[] = [];
  const unknown: Finding[] = [];
  let recent = 0;
  let bad = 0;
  const lines = text.split('\n');
  for (let index = Math.max(0, lines.length - MOST_LINES); index < lines.length && bad < MOST_BAD_LINES; index += 1) {
    const line = lines[index] as string;
    if (line.trim() === '') continue;
    const at = { path: PROBE_LOG, line: index + 1 };
    const json = readJson(line);
    if (!json.ok || !isMap(json.value)) {
      bad += 1;
      if (invalid.length < MOST)
        invalid.push(
          finding(
            'LOG_LINE_INVALID',
            json.ok ? `The line is ${notAnObject(json.value)}.` : 'The line is not JSON.',
            at,
          ),
        );
      continue;
    }
    const category = ownValue(json.value, 'category');
    if (!STATE_CONTRACT.probeCategories.includes(category as string) && unknown.length < MOST) {
      const message = `The category is ${shorten(JSON.stringify(category ?? null))}; known are ${STATE_CONTRACT.probeCategories.join(', ')}.`;
      unknown.push(finding('LOG_CATEGORY_UNKNOWN', message, { ...at, field: 'category' }));
    }
    const time = timeOf(ownValue(json.value, 'ts'));
    if (time !== undefined && now - time < DAY_MS) recent += 1;
  }
  const message = `${recent === 1 ? 'One probe' : `${recent} probes`} failed in the last 24 hours.`;
  return [
    ...invalid,
    ...unknown,
    ...(recent > 0 ? [finding('PROBE_FAILURES_RECENT', message, { path: PROBE_LOG })] : []),
  ];
}
