import { PhaseKind } from '../enums.ts';
import { KIND_RULES } from './phaseKinds/index.ts';
import type { TemplatePhase } from './phaseKinds/templatePhase.ts';

/** Placeholders that the instructions of every phase may contain. */
const EVERYWHERE: readonly string[] = ['requirements', 'objective', 'base_branch', 'worktree', 'change_request'];

/** The faults of the `{{…}}` in a phase's instructions. `earlier` has the keys of the phases before it. */
export function placeholderFaults({ kind, instructions }: TemplatePhase, earlier: ReadonlySet<string>): string[] {
  const names = [...(instructions?.matchAll(/\{\{([^}]*)\}\}/g) ?? [])].map(([, name = '']) => name);
  return names.flatMap((name) => placeholderFault(name, kind, earlier) ?? []);
}

function placeholderFault(name: string, kind: PhaseKind, earlier: ReadonlySet<string>): string | undefined {
  const known = [...EVERYWHERE, ...KIND_RULES[kind].placeholders];
  if (known.includes(name)) return undefined;
  const owner = PhaseKind.options.find((other) => KIND_RULES[other].placeholders.includes(name));
  if (owner) return `{{${name}}} belongs to a phase of kind ${owner}`;
  if (!name.startsWith('artifact:')) {
    return `{{${name}}} is unknown; there are ${known.map((each) => `{{${each}}}`).join(', ')} and {{artifact:<phase>}}`;
  }
  const phase = name.slice('artifact:'.length);
  return earlier.has(phase) ? undefined : `{{${name}}} names no earlier phase`;
}
