import { usage } from './parse.ts';

export interface GraphOptions {
  json?: boolean;
  dot?: boolean;
  mermaid?: boolean;
}

/** The program for which a graph is written; undefined for people. */
export function graphFormat({ json, dot, mermaid }: GraphOptions): 'dot' | 'mermaid' | undefined {
  if ([json, dot, mermaid].filter(Boolean).length > 1)
    throw usage('--json, --dot and --mermaid cannot be used together');
  if (dot) return 'dot';
  return mermaid ? 'mermaid' : undefined;
}
