import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../cli/client/connect.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { Place } from './place.ts';
import { playRun } from './playRun.ts';

export interface BenchTask {
  id: string;
  dependsOn?: string[];
  /** How long the fake agent takes for it. Default: the setting of the daemon. */
  delayMs?: number;
}

/** Plays a run whose plan is these tasks, with at most so many lanes at a time. Each task adds a file of its own. */
export function playTasks(
  place: Place,
  client: Client,
  { repo, lanes, tasks }: { repo: string; lanes: number; tasks: readonly BenchTask[] },
): Promise<EventView[]> {
  const backend = { planner: 'fake', implementer: 'fake' } as const;
  return playRun(place, client, { repo, template: templateName(lanes), backend, requirements: requirementsFor(tasks) });
}

/** Tasks that do not depend on each other. */
export function independentTasks(count: number, more: Omit<BenchTask, 'id'> = {}): BenchTask[] {
  return Array.from({ length: count }, (_, index) => ({ id: `T${index + 1}`, ...more }));
}

/** Tasks of which each depends on the one before. */
export function taskChain(count: number): BenchTask[] {
  return independentTasks(count).map((task, index) => ({ ...task, dependsOn: index === 0 ? [] : [`T${index}`] }));
}

/** A plan and its tasks, without checks, for each number of lanes. */
export function writeLaneTemplates({ paths }: Place, ...laneCounts: readonly number[]): void {
  mkdirSync(paths.userTemplates, { recursive: true });
  for (const max of laneCounts) {
    const template = {
      name: templateName(max),
      version: 1,
      roles: [
        { id: 'planner', requiredCapabilities: ['task_dag_planning'], preferredBackends: ['fake'] },
        { id: 'implementer', requiredCapabilities: ['code_edit'], preferredBackends: ['fake'] },
      ],
      phases: [
        {
          key: 'plan',
          title: 'Plan the tasks',
          risk: 'low',
          roles: ['planner'],
          expectedArtifact: { path: 'dag.json', schema: 'dev/dag@1' },
          // A plan must have a gate.
          gates: ['plan_approved'],
          instructions: 'Plan.\n\n{{requirements}}',
        },
        {
          key: 'implement',
          title: 'Implement the tasks',
          kind: 'lanes',
          risk: 'low',
          roles: ['implementer'],
          expectedArtifact: { path: 'implementation.json', schema: 'dev/implementation@1' },
          lanes: { from: 'plan', max },
          instructions: 'Do the task.\n\n{{task}}',
        },
      ],
    };
    // JSON is YAML.
    writeFileSync(join(paths.userTemplates, `${template.name}@1.yaml`), JSON.stringify(template));
  }
}

function templateName(lanes: number): string {
  return `bench-lanes-${lanes}`;
}

/** The fake planner copies the block `json dag`. The fake implementer reads `Delay-Ms`. */
function requirementsFor(tasks: readonly BenchTask[]): string {
  const dag = tasks.map(({ id, dependsOn = [], delayMs }) => ({
    id,
    title: `Title of ${id}`,
    description: delayMs === undefined ? 'Do it.' : `Do it.\nDelay-Ms: ${delayMs}`,
    requirements: [],
    dependsOn,
    writeSet: [`src/${id}/**`],
    checks: [],
    risk: 'low',
    size: 's',
  }));
  return `Do it.\n\n\`\`\`json dag\n${JSON.stringify({ summary: 'A plan.', tasks: dag })}\n\`\`\`\n`;
}
