import { roleInstances, type Template, templateHash } from '../../../schemas/definitions/template.ts';
import type { Rehearsal } from '../../../schemas/rpc/views/rehearsal.ts';
import { judgeGraph } from './judgeGraph.ts';
import { walkInParts } from './walk.ts';

/**
 * Walks all paths of a template without an agent. Each path must end or wait for a person, and avoid no gate. Each phase must
 * be reached. The same template gives the same answer. `absent`: why a role has no agent on this machine.
 */
export function* rehearseInParts(
  template: Template,
  absent: Readonly<Record<string, string>> = {},
): Generator<undefined, Rehearsal> {
  const graph = yield* walkInParts(template);
  const { findings, paths, ...shown } = judgeGraph(template, graph);
  const without = template.roles
    .filter(({ id }) => Object.hasOwn(absent, id))
    .map(({ id }) => ({
      code: 'backend_absent' as const,
      message: `role ${id} has no agent: ${absent[id]}`,
      path: [],
    }));
  const { name, version } = template;
  const all = [...findings, ...without];
  return {
    template: { name, version, hash: templateHash(template) },
    ok: all.length === 0,
    findings: all,
    ...shown,
    paths: { ...paths, agents: template.roles.flatMap(roleInstances).length },
    states: graph.nodes.length,
    steps: graph.nodes.reduce((sum, { edges }) => sum + edges.length, 0),
  };
}
