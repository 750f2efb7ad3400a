import { usage } from './parse.ts';

interface GraphOptions {
  json?: boolean;
  graph?: boolean;
  dot?: boolean;
  mermaid?: boolean;
}

/** The program for which a graph is written; undefined for people. */
export function graphFormat(options: GraphOptions): 'dot' | 'mermaid' | undefined {
  const chosen = (['json', 'graph', 'dot', 'mermaid'] as const).filter((name) => options[name]);
  if (chosen.length > 1) throw usage(`${chosen.map((name) => `--${name}`).join(' and ')} cannot be used together`);
  const [only] = chosen;
  return only === 'dot' || only === 'mermaid' ? only : undefined;
}
