import { z } from 'zod';
import { FLOW_NAMES } from '../contracts/autodev/pointer.ts';
import { KIND_DEFINITIONS } from '../kinds/index.ts';
import type { Fault } from './phase/kindDefinition.ts';
import { Slug, type TemplatePhase } from './phase/templatePhase.ts';

/** The convention whose files devflow writes into the worktree of a run, for agents and programs that live by it. */
export const Exchange = z.enum(['handover', 'autodev', 'cycle']);
export type Exchange = z.infer<typeof Exchange>;

/** When the phases of `iterate` need no further turn. */
export const Until = z.enum(['review-allows', 'cycle-resolved', 'objective-met']);
export type Until = z.infer<typeof Until>;

/** Phases that follow one another, and begin again together. */
export const Iterate = z.strictObject({
  phases: z.array(Slug).min(1),
  /** The most times that they begin without a person. For `objective-met` the objective says it. */
  max: z.number().int().min(1).max(20).optional(),
  until: Until,
});
export type Iterate = z.infer<typeof Iterate>;

/** A template's fields about conventions and turns, beside its phases. All are optional. */
export const ExchangeSettings = {
  exchange: Exchange.optional(),
  /** The flow that the pointer of the exchange `autodev` names. */
  flow: z.enum(FLOW_NAMES).optional(),
  iterate: Iterate.optional(),
};

/** The measured rule, which reads no artifact. */
export const MEASURED = 'objective-met' satisfies Until;

/** The artifact that each other rule of `until` reads. */
export const JUDGED: Readonly<Record<Exclude<Until, typeof MEASURED>, string>> = {
  'review-allows': 'handover/review@1',
  'cycle-resolved': 'cycle/test-results@1',
};

interface Template {
  exchange?: Exchange;
  flow?: string;
  iterate?: Iterate;
  phases: readonly TemplatePhase[];
}

/** A template that measures: once before the first change, and at the end of each iteration. */
function measuringFaults({ iterate, phases }: Template): Fault[] {
  const isMeasured = iterate?.until === MEASURED;
  const measuring = phases.filter(({ kind }) => KIND_DEFINITIONS[kind].commands === 'measures').map(({ key }) => key);
  if (!isMeasured && measuring.length === 0) return [];
  const inside = measuring.filter((key) => iterate?.phases.includes(key));
  const isRight = isMeasured && measuring.length === 2 && inside.length === 1 && measuring[1] === inside[0];
  if (isRight && iterate.phases.at(-1) === inside[0]) return [];
  const message =
    'objective-met needs two phases of kind evaluate: one before the iterated phases, and the last of them';
  return [{ path: ['iterate'], code: 'iterate_rule', message }];
}

/** The faults of these settings, at paths of the template. */
export function exchangeFaults(template: Template): Fault[] {
  const { exchange, flow, iterate, phases } = template;
  const faults = measuringFaults(template);
  if ((exchange === 'autodev') !== (flow !== undefined)) {
    faults.push({ path: ['flow'], code: 'exchange_flow', message: 'the exchange autodev, and no other, needs a flow' });
  }
  if (!iterate) return faults;
  const at = ['iterate', 'phases'];
  const first = phases.findIndex(({ key }) => key === iterate.phases[0]);
  const named = phases.slice(first, first + iterate.phases.length);
  if (
    first < 0 ||
    named.some(({ key }, index) => key !== iterate.phases[index]) ||
    named.length < iterate.phases.length
  ) {
    const message = 'name phases of the template that follow one another, in their order';
    return [...faults, { path: at, code: 'iterate_rule', message }];
  }
  const wrongKind = named.find(({ kind }) => KIND_DEFINITIONS[kind].hasRounds);
  if (wrongKind) {
    const message = `${wrongKind.key} is of kind ${wrongKind.kind}, which has rounds of its own`;
    faults.push({ path: at, code: 'iterate_rule', message });
  }
  return [...faults, ...untilFaults(iterate, named)];
}

function untilFaults({ until, max }: Iterate, named: readonly TemplatePhase[]): Fault[] {
  const faults: Fault[] = [];
  if ((until === MEASURED) === (max !== undefined)) {
    const message =
      until === MEASURED ? 'leave it out: the objective says how often' : 'say how often the phases may begin';
    faults.push({ path: ['iterate', 'max'], code: 'iterate_rule', message });
  }
  if (until === MEASURED) return faults;
  const judged = JUDGED[until];
  if (named.filter(({ expectedArtifact }) => expectedArtifact?.schema === judged).length !== 1) {
    faults.push({
      path: ['iterate', 'until'],
      code: 'iterate_rule',
      message: `${until} needs exactly one of these phases to write ${judged}`,
    });
  }
  return faults;
}
