import { nameOf } from './candidate/paths.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  kts: 'Kotlin',
  scala: 'Scala',
  rb: 'Ruby',
  php: 'PHP',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  hpp: 'C++',
  cs: 'C#',
  swift: 'Swift',
  dart: 'Dart',
  ex: 'Elixir',
  exs: 'Elixir',
  hs: 'Haskell',
  lua: 'Lua',
  r: 'R',
  jl: 'Julia',
  sh: 'Shell',
  sql: 'SQL',
  vue: 'Vue',
  svelte: 'Svelte',
};
const MOST = 10;

/** The languages of these files, those with the most files first. */
export function languagesOf(paths: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = nameOf(path);
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    const language = name.includes('.') && Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([language]) => language);
}
