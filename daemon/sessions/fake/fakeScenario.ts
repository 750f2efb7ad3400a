import { NO_ANSWERS } from './answerComments.ts';
import { BREAKING } from './lane/laneWork.ts';

/** The fake agent's reaction to one prompt, read from header lines of its instructions. */
export interface Scenario {
  /** One step: `ok`, `invalid`, `timeout`, `crash`, `exit`, `slow`, `no-answers`, `broken`, `stubborn`, or a fixture. */
  name: string;
  delayMs: number;
}

/** Scenarios that write nothing; every other name is the name of a fixture (`slow` and `no-answers` write the `ok` one). */
export const SILENT_SCENARIOS: readonly string[] = ['timeout', 'crash', 'exit'];

/** `slow` takes this many delays and prints a line after each. */
export const SLOW_FACTOR = 20;

/**
 * `Scenario: <name>` or `Scenario: <phaseKey>=<name>` on a separate line. It may stand anywhere in the instructions,
 * because it reaches the agent inside the user's requirements. `<a>-then-<b>`: the first attempt does a, later ones b.
 */
export function scenarioFor(instructions: string, phaseKey: string, attempt: number, defaultDelayMs: number): Scenario {
  const steps = (header(instructions, 'Scenario', phaseKey) ?? 'ok').split('-then-');
  const delay = header(instructions, 'Delay-Ms', phaseKey);
  return {
    name: steps[Math.min(attempt, steps.length) - 1] ?? 'ok',
    delayMs: delay !== undefined && /^\d{1,9}$/.test(delay) ? Number(delay) : defaultDelayMs,
  };
}

/**
 * The header's value: the first that names this phase, else the first that names none. Only slugs, because it names a
 * file.
 */
function header(instructions: string, name: string, phaseKey: string): string | undefined {
  let general: string | undefined;
  for (const line of instructions.matchAll(/^[ \t]*([A-Za-z-]+):[ \t]*(?:([a-z0-9_-]+)=)?([a-z0-9_-]+)[ \t]*\r?$/gm)) {
    if (line[1] !== name) continue;
    if (line[2] === phaseKey) return line[3];
    if (line[2] === undefined) general ??= line[3];
  }
  return general;
}

/** The fixture that a scenario writes; undefined if it writes nothing. */
export function fixtureOf(scenario: string): string | undefined {
  if (SILENT_SCENARIOS.includes(scenario)) return undefined;
  return scenario === 'slow' || scenario === NO_ANSWERS || BREAKING.includes(scenario) ? 'ok' : scenario;
}

/**
 * The task graph that a person gives a fake planner: a fenced block `json dag` in the requirements. Undefined if there is
 * none, or if the expected artifact is no task graph.
 */
export function plannedGraph(schema: string, instructions: string): string | undefined {
  if (!schema.startsWith('dev/dag@')) return undefined;
  const block = /^[ \t]*```json dag[ \t]*\r?\n([\s\S]*?)^[ \t]*```[ \t]*\r?$/m.exec(instructions);
  return block?.[1];
}
