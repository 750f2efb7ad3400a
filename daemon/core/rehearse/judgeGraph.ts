import { gatesOf, type Template } from '../../../schemas/definitions/template.ts';
import type { Rehearsal, RehearsalFinding } from '../../../schemas/rpc/views/rehearsal.ts';
import { type Edge, fewestPrompts, type Graph, mostPrompts, nodeOnCycle, shortestPath } from './graph.ts';

type Judged = Pick<Rehearsal, 'findings' | 'phases' | 'gates'> & { paths: Pick<Rehearsal['paths'], 'prompts'> };

/** A path shows the last steps to what it leads to. */
const LONGEST_PATH = 40;

/** Judges a template by the states of its walk. Pure. */
export function judgeGraph(template: Template, graph: Graph): Judged {
  const reached = new Set(graph.nodes.map(({ phase }) => phase));
  const gates = template.phases.flatMap((phase) =>
    gatesOf(template, phase).map((gate) => ({
      phase: phase.key,
      gate,
      onEveryPath: pathAround(graph, `${phase.key} ${gate}`) === undefined,
      mayBeSkipped: mayBeSkipped(template, phase),
    })),
  );
  const findings: RehearsalFinding[] = [
    ...endlessOnes(graph),
    ...template.phases
      .filter(({ key }) => !reached.has(key))
      .map(({ key }) => found('phase_unreachable', `no path leads to phase ${key}`, [])),
    ...gates
      .filter(({ onEveryPath, mayBeSkipped: isExempt }) => !onEveryPath && !isExempt)
      .map(({ phase, gate }) =>
        found(
          'gate_avoided',
          `a run can complete without the gate ${gate} of phase ${phase}`,
          pathAround(graph, `${phase} ${gate}`) ?? [],
        ),
      ),
    ...(graph.isCut ? [found('too_many_states', `there are more than ${graph.nodes.length - 1} states`, [])] : []),
  ];
  return {
    // A state that was not walked shows nothing.
    findings: graph.isCut ? findings.filter(({ code }) => code === 'too_many_states') : findings,
    phases: template.phases.map(({ key }) => ({ key, reached: reached.has(key) })),
    gates,
    paths: { prompts: { min: fewestPrompts(graph) ?? 0, max: mostPrompts(graph) ?? null } },
  };
}

function found(code: RehearsalFinding['code'], message: string, path: readonly string[]): RehearsalFinding {
  return { code, message, path: path.slice(-LONGEST_PATH) };
}

function endlessOnes(graph: Graph): RehearsalFinding[] {
  const waits = shortestPath(graph, ({ ended, edges }) => ended === null && edges.length === 0);
  const completes = shortestPath(graph, ({ ended }) => ended === 'completed');
  const loop = nodeOnCycle(graph, isAlone);
  return [
    ...(waits ? [found('waits_forever', 'a path ends where the run waits for nobody', waits)] : []),
    ...(completes ? [] : [found('never_completes', 'no path leads to completion', [])]),
    ...(loop === undefined
      ? []
      : [
          found(
            'loop_unbounded',
            'a loop repeats without a limit, and no person decides in it',
            shortestPath(graph, (_, at) => at === loop) ?? [],
          ),
        ]),
  ];
}

const isAlone = ({ isPersons }: Edge) => !isPersons;

/** A path to completion on which nobody approves the gate. */
function pathAround(graph: Graph, gate: string): string[] | undefined {
  return shortestPath(
    graph,
    ({ ended }) => ended === 'completed',
    ({ approves }) => approves !== gate,
  );
}

/** By a person, or by a fact that the template names. */
function mayBeSkipped({ iterate }: Template, { key, optional, skipWhen }: Template['phases'][number]): boolean {
  return optional === true || skipWhen !== undefined || (iterate?.phases.includes(key) ?? false);
}
