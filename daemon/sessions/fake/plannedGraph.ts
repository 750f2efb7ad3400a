/**
 * The task graph that a person gives a fake planner: a fenced block `json dag` in the requirements. Undefined if there is
 * none, or if the expected artifact is no task graph.
 */
export function plannedGraph(schema: string, instructions: string): string | undefined {
  if (!schema.startsWith('dev/dag@')) return undefined;
  const block = /^[ \t]*```json dag[ \t]*\r?\n([\s\S]*?)^[ \t]*```[ \t]*\r?$/m.exec(instructions);
  return block?.[1];
}
