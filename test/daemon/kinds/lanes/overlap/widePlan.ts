/** A plan of tasks that share no path, of the kinds of globs that planners write. For tests and benchmarks. */
export function widePlan(count: number): { id: string; dependsOn: string[]; writeSet: string[] }[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `T${n}`,
    dependsOn: [],
    writeSet: [
      `src/module${n}/**`,
      `test/module${n}/**/*.test.ts`,
      `docs/module${n}.md`,
      `src/routes/{list,show}${n}.ts`,
      `app/[id]/module${n}/page.tsx`,
    ],
  }));
}
