import { PhaseKind } from '../enums.ts';
import { KIND_DEFINITIONS } from '../kinds/index.ts';
import type { Exchange } from './exchange.ts';
import type { Fault } from './phase/kindDefinition.ts';
import type { TemplatePhase } from './phase/templatePhase.ts';

/** Placeholders that the instructions of every phase may contain. */
const EVERYWHERE: readonly string[] = ['requirements', 'objective', 'base_branch', 'worktree', 'change_request'];

/** The possible targets of a phase's placeholders. */
interface Around {
  /** The keys of the phases before it, and of those that begin again together with it. */
  readable: ReadonlySet<string>;
  exchange?: Exchange;
  isIterated: boolean;
  isMeasured: boolean;
}

type PlaceholderFault = Pick<Fault, 'code' | 'message' | 'part'>;

/** The faults of the `{{…}}` in a phase's instructions. */
export function placeholderFaults({ kind, instructions }: TemplatePhase, around: Around): PlaceholderFault[] {
  const { names } = splitPlaceholders(instructions ?? '');
  return names.flatMap((name, at): PlaceholderFault[] => {
    const fault = placeholderFault(name, kind, around);
    const nth = names.slice(0, at).filter((each) => each === name).length;
    return fault ? [{ ...fault, part: { text: `{{${name}}}`, nth } }] : [];
  });
}

function placeholderFault(name: string, kind: PhaseKind, around: Around): PlaceholderFault | undefined {
  const { readable, exchange, isIterated, isMeasured } = around;
  const ofExchange = exchange === 'handover' ? ['project_dir'] : [];
  const known = [
    ...EVERYWHERE,
    ...KIND_DEFINITIONS[kind].placeholders,
    ...ofExchange,
    ...(isIterated ? ['iteration'] : []),
    ...(isMeasured ? ['mining'] : []),
  ];
  if (known.includes(name)) return undefined;
  const owner = PhaseKind.options.find((other) => KIND_DEFINITIONS[other].placeholders.includes(name));
  if (owner) return unknown(`{{${name}}} belongs to a phase of kind ${owner}`);
  const [, phase] = /^(?:artifact|findings):(.*)$/.exec(name) ?? [];
  if (phase === undefined) {
    const all = known.map((each) => `{{${each}}}`).join(', ');
    return unknown(`{{${name}}} is unknown; there are ${all}, {{artifact:<phase>}} and {{findings:<phase>}}`);
  }
  return readable.has(phase) ? undefined : { code: 'placeholder_order', message: `{{${name}}} names no earlier phase` };
}

function unknown(message: string): PlaceholderFault {
  return { code: 'unknown_placeholder', message };
}

/**
 * The texts between `{{` and `}}`, and those around them. One pass: a regular expression takes minutes on many braces.
 */
export function splitPlaceholders(text: string): { names: string[]; around: string[] } {
  const names: string[] = [];
  const around: string[] = [];
  let rest = 0;
  let from = 0;
  for (let end = text.indexOf('}}'); end >= 0; end = text.indexOf('}}', from)) {
    const segment = Math.max(from, text.lastIndexOf('}', end - 1) + 1);
    const at = text.slice(segment, end).indexOf('{{');
    from = at < 0 ? end + 1 : end + 2;
    if (at < 0) continue;
    names.push(text.slice(segment + at + 2, end));
    around.push(text.slice(rest, segment + at));
    rest = from;
  }
  return { names, around: [...around, text.slice(rest)] };
}
