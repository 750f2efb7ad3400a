import { isContractDocument } from '../../contracts/readArtifact.ts';
import { KIND_DEFINITIONS } from '../../kinds/index.ts';
import { JUDGED, MEASURED } from '../exchange.ts';
import type { Fault } from '../phase/kindDefinition.ts';
import { splitPlaceholders } from '../placeholders.ts';
import type { Template } from '../template.ts';
import { allGates, mayChange, producerOf } from './changes.ts';

/** Artifacts that nobody reads. Where agents change files, the change is what counts, and the artifact is its record. */
export function artifactRules(template: Template): Fault[] {
  const read = new Set([...namedInInstructions(template), ...shownAtGates(template), ...readByDevflow(template)]);
  return template.phases.flatMap((phase, index): Fault[] => {
    const { isOwnWork } = KIND_DEFINITIONS[phase.kind];
    if (isOwnWork || !phase.expectedArtifact || read.has(phase.key) || mayChange(template, phase)) return [];
    const path = ['phases', index, 'expectedArtifact'];
    const message = `no later phase and no gate reads ${phase.expectedArtifact.path} of phase ${phase.key}`;
    return [{ path, code: 'unread_artifact', message }];
  });
}

function namedInInstructions({ phases }: Template): string[] {
  return phases.flatMap(({ instructions = '' }) =>
    splitPlaceholders(instructions).names.flatMap((name) => /^(?:artifact|findings):(.*)$/s.exec(name)?.[1] ?? []),
  );
}

function shownAtGates(template: Template): string[] {
  return allGates(template).flatMap((gates, index) => {
    const producer = template.phases[producerOf(template, index)];
    return gates.length > 0 && producer ? [producer.key] : [];
  });
}

/** The artifacts that devflow reads itself, or publishes for others. */
function readByDevflow({ phases, iterate, exchange }: Template): string[] {
  const judged = iterate && iterate.until !== MEASURED ? JUDGED[iterate.until] : undefined;
  return phases.flatMap((phase, index) => {
    const { key, kind, expectedArtifact } = phase;
    const { reads } = KIND_DEFINITIONS[kind];
    if (reads) return reads(phase, phases.slice(0, index))?.key ?? [];
    const schema = expectedArtifact?.schema;
    if (schema === undefined) return [];
    return schema === judged || (exchange !== undefined && isContractDocument(schema)) ? [key] : [];
  });
}
