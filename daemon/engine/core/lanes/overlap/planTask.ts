/** A task of a plan, as far as its place in the plan goes. */
export interface PlanTask {
  id: string;
  dependsOn: readonly string[];
}

/** Two tasks in the order in which they must be done, though neither needs the other. */
export type Edge = readonly [before: string, after: string];
