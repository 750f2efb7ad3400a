import type { Template } from '../../../schemas/definitions/template.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { blocksRun, holdsResult } from '../../../schemas/gates/gateKinds.ts';
import { kindOf } from '../../kinds/index.ts';
import { decide } from '../decide.ts';
import { BOUNDARY } from '../run/boundary.ts';
import { currentPhase, openGates } from '../run/query.ts';
import type { Approval, Run } from '../run/state.ts';
import { onOutcome, onSignal } from '../transition.ts';
import type { Edge, Graph, Node } from './graph.ts';
import { possibleOutcomes } from './possibleOutcomes.ts';
import { NOW, sampleRun } from './sampleRun.ts';
import { stateKey } from './stateKey.ts';

/** Enough for every template of the package, several times. */
const MOST_STATES = 50_000;

/**
 * The number of times that a person asks for something again on one path. Each time makes the log longer, so without a
 * limit the states would not end. Once is enough to show that the run continues.
 */
const MOST_AGAIN = 1;

/** A state of the run, and how often a person asked for something again on the way to it. */
export interface Place {
  run: Run;
  again: number;
}

/** A way on from a state, and the state behind it. */
export interface Step extends Omit<Edge, 'to'> {
  place: Place;
}

/** Enough states for the daemon to be busy for about 50 ms. */
const PART = 200;

/**
 * Walks through all states of a run of the template, breadth first, by the same functions as a real run. If several effects
 * run at the same time, the first one ends first: their order does not change the result. It yields now and then, because a
 * daemon that walks must not keep its runs waiting.
 */
export function* walkInParts(template: Template, most = MOST_STATES): Generator<undefined, Graph> {
  const nodes: Node[] = [];
  const numbers = new Map<string, number>();
  let open: { place: Place; node: Node }[] = [];
  const visit = (place: Place): number => {
    const key = keyOf(place);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const node: Node = { ended: endOf(place.run), phase: currentPhase(place.run)?.key ?? null, edges: [] };
    const at = nodes.push(node) - 1;
    numbers.set(key, at);
    open.push({ place, node });
    return at;
  };
  visit(beginningOf(template));
  let walked = 0;
  while (open.length > 0) {
    const here = open;
    // Let go of the walked runs: a run is much larger than its node.
    open = [];
    for (const { place, node } of here) {
      if (nodes.length > most) return { nodes, isCut: true };
      node.edges = stepsFrom(place).map(({ place: next, ...edge }) => ({ ...edge, to: visit(next) }));
      walked += 1;
      if (walked % PART === 0) yield;
    }
  }
  return { nodes, isCut: false };
}

/** A run of the template that was just requested. */
export function beginningOf(template: Template): Place {
  return { run: sampleRun(template), again: 0 };
}

/** Places with the same key are the same state. */
export function keyOf({ run, again }: Place): string {
  return isTerminal(run.state) ? run.state : `${again}\n${stateKey(run)}`;
}

function endOf({ state }: Run): Node['ended'] {
  return state === 'completed' || state === 'failed' || state === 'aborted' ? state : null;
}

export function stepsFrom({ run, again }: Place): Step[] {
  if (isTerminal(run.state)) return [];
  for (const effect of decide(run)) {
    const steps = possibleOutcomes(effect, run).flatMap(({ outcome, words }): Step[] => {
      const { run: next, events } = onOutcome(run, outcome, NOW);
      const prompts = outcome.type === 'promptDelivered' ? 1 : 0;
      return events.length > 0 ? [{ place: { run: next, again }, isPersons: false, words, prompts }] : [];
    });
    if (steps.length > 0) return steps;
  }
  const gate = openGates(run).find(blocksRun);
  return gate ? decisions({ run, again }, gate) : acts({ run, again });
}

/** What a person does in a phase that they lead. */
function acts({ run, again }: Place): Step[] {
  const phase = currentPhase(run);
  return (phase ? (kindOf(phase).rehearsal.acts?.(run, phase) ?? []) : []).flatMap(({ signal, words }): Step[] => {
    const answer = onSignal(run, signal, NOW);
    if ('refused' in answer || answer.events.length === 0) return [];
    return [{ place: { run: answer.run, again }, isPersons: true, words: `a person ${words}`, prompts: 0 }];
  });
}

const WORDS = { approve: 'approves', request_changes: 'asks for changes at', reject: 'rejects' } as const;

/** Everything that a person can decide at a gate, but to abort: that ends every run. */
function decisions({ run, again }: Place, gate: Approval): Step[] {
  return decidable(gate, run.state).flatMap((action): Step[] => {
    if (action === 'abort') return [];
    const comment = action === 'request_changes' ? 'Change it.' : null;
    const signal = { type: 'decide' as const, approvalRequestId: gate.id, action, comment, clientToken: 'rehearsal' };
    const answer = onSignal(run, signal, NOW);
    if ('refused' in answer || answer.events.length === 0) return [];
    const isDesigned = holdsResult(gate);
    const isAgain =
      gate.gateKey !== BOUNDARY && (action === 'request_changes' || (action === 'approve' && !isDesigned));
    if (isAgain && again >= MOST_AGAIN) return [];
    return [
      {
        place: { run: answer.run, again: again + (isAgain ? 1 : 0) },
        isPersons: true,
        words: `a person ${WORDS[action]} ${gate.gateKey} of ${gate.phaseKey}`,
        prompts: 0,
        ...(isDesigned && action === 'approve' ? { approves: `${gate.phaseKey} ${gate.gateKey}` } : {}),
        ...(isAgain ? { isAgain } : {}),
      },
    ];
  });
}
