import type { Sheet } from '../../../schemas/rpc/views/sheet.ts';

/** A sheet with nothing but a question. */
export function givenSheet(over: Partial<Sheet> = {}): Sheet {
  return {
    shown: 'ab'.repeat(32),
    runTitle: 'Greet by name',
    decides: 'Accept it?',
    leadsTo: [],
    alarms: [],
    about: [],
    asked: { requirements: '', changes: null },
    comments: [],
    said: [],
    checks: [],
    review: null,
    measured: [],
    walk: [],
    change: null,
    documents: [],
    ...over,
  };
}
