import type { Source } from './scan.ts';

/** What the pure core may use outside our own files. */
export interface Allowed {
  packages: readonly string[];
  /** A `node:` module, and the only files that may import it. */
  node: Readonly<Record<string, readonly string[]>>;
}

/** Each gives different answers to the same question: a clock, chance, the process or its environment. */
const IMPURE = [
  /\bDate\.now\b/,
  /\bnew Date\(\s*\)/,
  /(?<!new )\bDate\(/,
  /\bperformance\b/,
  /\bMath\.random\b/,
  /\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/,
  /\bprocess\b(?!['"`:])/,
  /\bglobalThis\b/,
  /\bset(?:Timeout|Interval|Immediate)\b/,
  /\bfetch\(/,
  /\bimport\.meta\b/,
];

/**
 * Why the files below `folder`, and all that they import at run time, are not pure. One sentence per fault, with the
 * imports that lead there.
 */
export function impurities(sources: readonly Source[], folder: string, allowed: Allowed): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const faults: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const source = byPath.get(path);
    if (!source || seen.has(path)) return;
    seen.add(path);
    const trail = [...way, path];
    for (const found of impureWords(source.text)) faults.push(`${trail.join(' > ')} uses ${found}`);
    for (const { to, ours, typeOnly } of source.imports) {
      if (typeOnly) continue;
      if (ours) visit(to, trail);
      else if (!mayImport(path, to, allowed)) faults.push(`${trail.join(' > ')} imports ${to}`);
    }
  };
  for (const { path } of sources) if (path.startsWith(`${folder}/`)) visit(path, []);
  return faults;
}

function mayImport(path: string, to: string, { packages, node }: Allowed): boolean {
  return to.startsWith('node:') ? (node[to] ?? []).includes(path) : packages.includes(to);
}

function impureWords(text: string): string[] {
  const code = withoutTexts(text);
  return IMPURE.flatMap((word) => code.match(word)?.[0] ?? []);
}

/** Comments and plain strings say words that the code does not use. Template literals stay, for they hold code. */
function withoutTexts(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/'(?:[^'\\\n]|\\.)*'|(?<=^|\s)\/\/.*$/gm, '');
}
