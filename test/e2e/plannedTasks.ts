export interface Planned {
  id: string;
  dependsOn?: string[];
  /** Lines for the fake agent of the task. */
  words?: string[];
  checks?: { argv: string[] }[];
}

/** Requirements with a plan, for the fake planner. `words`: further lines for its fellow agents. */
export function requirementsFor(tasks: readonly Planned[], words: readonly string[] = []): string {
  const dag = tasks.map(({ id, dependsOn = [], words: own = [], checks = [] }) => {
    const description = ['Do it.', ...own].join('\n');
    const facts = { requirements: [], writeSet: [`src/${id}/**`], risk: 'low', size: 's' };
    return { id, title: `Title of ${id}`, description, dependsOn, checks, ...facts };
  });
  return `${['Make it better.', ...words].join('\n')}\n\n\`\`\`json dag\n${JSON.stringify({ summary: 'A plan.', tasks: dag })}\n\`\`\`\n`;
}
