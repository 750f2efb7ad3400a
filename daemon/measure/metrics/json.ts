import { atPointer, fieldsOf, firstFields, parseJson } from './jsonText.ts';
import { valueUnder } from './number.ts';
import { type Parser, Unreadable, type Value } from './reading.ts';

/** Any JSON: what the pointers of the objective name, or all numbers at the top. */
export const jsonParser: Parser = {
  file: 'metrics.json',
  read(bytes, names) {
    const document = parseJson(bytes);
    const named = Object.entries(names);
    if (named.length > 0) {
      const values = named.map(([name, pointer]): [string, Value] => {
        const raw = atPointer(document, pointer);
        if (raw === undefined) return [name, { absent: `${pointer} is not in the file` }];
        return [name, valueUnder(pointer, raw) ?? { absent: `${pointer} is no number` }];
      });
      return { metrics: Object.fromEntries(values) };
    }
    const fields = fieldsOf(document);
    if (!fields) throw new Unreadable('has no object at its top; name the metrics by JSON pointers in measure.names');
    const metrics = firstFields(fields).flatMap(([name, raw]): [string, Value][] => {
      const value = valueUnder(name, raw);
      return value === undefined ? [] : [[name, value]];
    });
    return { metrics: Object.fromEntries(metrics) };
  },
};
