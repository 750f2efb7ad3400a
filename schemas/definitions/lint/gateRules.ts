import type { Fault } from '../phase/kindDefinition.ts';
import type { Template } from '../template.ts';
import { allGates, isSure, mayChange, producerOf } from './changes.ts';

/** Where a person must be asked, and what an answer leads to. */
export function gateRules(template: Template): Fault[] {
  const gates = allGates(template);
  const changing = template.phases.flatMap((phase, index) => (mayChange(template, phase) ? [index] : []));
  const isAsked = gates.some((each) => each.length > 0);
  return [
    ...(isAsked ? ungated(template, gates, changing) : noApproval(template, changing)),
    ...template.phases.flatMap((phase, index): Fault[] => {
      const [gate] = gates[index] ?? [];
      if (gate === undefined) return [];
      const at = ['phases', index, ...(phase.gates.length > 0 ? ['gates'] : [])];
      return [...skippable(phase, gate, at), ...leadsNowhere(template, index, gate, at)];
    }),
  ];
}

function noApproval({ phases }: Template, [first]: readonly number[]): Fault[] {
  if (first === undefined) return [];
  const message = `phase ${phases[first]?.key} may change files, and the template has no gates`;
  return [{ path: ['phases', first], code: 'no_approval', message }];
}

function ungated({ phases }: Template, gates: readonly string[][], changing: readonly number[]): Fault[] {
  const last = phases.findLastIndex((phase, index) => isSure(phase) && (gates[index]?.length ?? 0) > 0);
  return changing.flatMap((index): Fault[] => {
    const { key, risk } = phases[index] as Template['phases'][number];
    if (index <= last || risk === 'low') return [];
    const message = `phase ${key} of ${risk} risk may change files, and no gate is sure to follow`;
    return [{ path: ['phases', index], code: `ungated_${risk}_risk`, message }];
  });
}

function skippable(phase: Template['phases'][number], gate: string, path: (string | number)[]): Fault[] {
  if (isSure(phase)) return [];
  const message = `nobody is asked at the gate ${gate} when phase ${phase.key} is skipped`;
  return [{ path, code: 'skippable_gate', message }];
}

function leadsNowhere(template: Template, index: number, gate: string, path: (string | number)[]): Fault[] {
  const producer = template.phases[producerOf(template, index)];
  if (producer === undefined || producer.roles.length > 0) return [];
  const message = `no agent makes the changes that a person requests at the gate ${gate}`;
  return [{ path, code: 'changes_lead_nowhere', message }];
}
