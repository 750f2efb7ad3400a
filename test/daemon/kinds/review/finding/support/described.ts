import type { Described, Known } from '../../../../../../daemon/kinds/review/finding/sameFinding.ts';

/** A finding at line 10 of a file, with what a test is about. */
export function described(more: Partial<Described> = {}): Described {
  const line = more.line ?? 10;
  return {
    path: 'src/a.ts',
    line,
    symbol: 'load',
    category: 'correctness',
    severity: 'medium',
    summary: 'The result is not checked',
    quote: 'const result = load();',
    anchor: { line, text: 'constresult=load();', occurrence: 1 },
    ...more,
  };
}

export function known(id: string, more: Partial<Described> = {}): Known {
  return { ...described(more), id };
}
