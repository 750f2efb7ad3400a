import { valueUnder } from './number.ts';
import type { Parser, Value } from './reading.ts';

/** A line with a name and a value. All is bounded: a log may have lines of any length. */
const LINE = /^[ \t]{0,80}([A-Za-z_][\w.\-/ [\]()%]{0,79}?)[ \t]{0,80}[=:][ \t]{0,80}([^\s=][^\r\n]{0,200}|)$/gm;
const MOST_KEPT = 10_000;

const isAssigned = (line: string) => line.trimEnd().endsWith('=');

/** Lines of `name=value` or `name: value`. Other lines are text for people. */
export const keyvalueParser: Parser = {
  file: 'metrics.txt',
  read(bytes, names) {
    const found = new Map<string, Value>();
    const named = Object.entries(names);
    const wanted = named.length > 0 ? new Set(Object.values(names)) : undefined;
    for (const [line, name = '', text = ''] of bytes.toString('utf8').matchAll(LINE)) {
      if (wanted ? !wanted.has(name) : found.size >= MOST_KEPT && !found.has(name)) continue;
      // A title ends with a colon, too.
      if (text === '' && !isAssigned(line) && !wanted && !found.has(name)) continue;
      const value = valueUnder(name, text.trimEnd());
      // The last line of a name counts.
      if (value !== undefined) found.set(name, value);
    }
    if (!wanted) return { metrics: Object.fromEntries(found) };
    const values = named.map(([name, key]) => [name, found.get(key) ?? { absent: `there is no line ${key}` }]);
    return { metrics: Object.fromEntries(values) };
  },
};
