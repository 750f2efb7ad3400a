import type { Brought, BroughtSchema } from '../../../schemas/definitions/brought.ts';
import { readPersonaText, readTemplateText, type Schemas } from '../../../schemas/definitions/definitionFile.ts';
import { type BindingOverride, personaHash } from '../../../schemas/definitions/persona.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import { templateHash } from '../../../schemas/definitions/template.ts';
import { type Problem, problemSentence } from '../../../schemas/definitions/yamlFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { hash } from '../../../schemas/hash.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { usableSchema } from '../../definitions/factory/shippedFaults.ts';
import type { TemplateRecord } from '../../store/definitions.ts';

/** Definitions that a person still changes, as texts, for one run. */
export interface Drafts {
  /** The template, in the place of a published one. */
  draft?: string;
  draftArtifacts?: readonly BroughtSchema[];
  draftPersonas?: readonly string[];
}

type Draft = Pick<TemplateRecord, 'id' | 'name' | 'version' | 'hash' | 'template'>;
type BroughtPersona = Brought['personas'][number];

const LONGEST_NAME = 64;

/**
 * The template of a draft, for one run. Its name says so and has a part of its hash. So it never meets a published template,
 * nor another draft of that name. Throws template_invalid.
 */
export function draftTemplate(text: string, schemas: Schemas): Draft {
  const read = readTemplateText(text, schemas, 'draft');
  if (!read.ok) throw invalid(read.problems);
  const { name: own, version, hash: ofText, definition } = read.value;
  const name = draftName(own, ofText);
  const template = { ...definition, name };
  const ofDraft = templateHash(template);
  return { id: derivedId('draft', ofDraft), name, version, hash: ofDraft, template };
}

/**
 * The schemas and personas that come with a draft. Only roles that name a persona get it. Null for nothing. Throws
 * template_invalid.
 */
export function broughtBy(
  { draftArtifacts = [], draftPersonas = [] }: Drafts,
  registry: Pick<Registry, 'schemaFault' | 'listSchemas' | 'loadSchema'>,
): Brought | null {
  const own = draftArtifacts.filter((each) => !isSame(each, registry));
  for (const { schema, definition } of own) {
    const isTaken = registry.schemaFault(schema) === undefined;
    const read = usableSchema(definition);
    if (!isTaken && read.ok) continue;
    const fault = isTaken || read.ok ? 'it is published with other content, so give yours another version' : read.fault;
    throw new DevflowError('template_invalid', `The draft cannot bring the artifact schema ${schema}: ${fault}.`);
  }
  if (own.length === 0 && draftPersonas.length === 0) return null;
  return { schemas: own, personas: draftPersonas.map(draftPersona) };
}

function isSame(
  { schema, definition }: BroughtSchema,
  { listSchemas, loadSchema }: Pick<Registry, 'listSchemas' | 'loadSchema'>,
): boolean {
  return listSchemas().includes(schema) && hash(loadSchema(schema)) === hash(definition);
}

/** With the drafts in the place of the personas whose names a caller gave. */
export function withDraftPersonas(
  overrides: Record<string, BindingOverride>,
  drafts: readonly string[] = [],
): Record<string, BindingOverride> {
  const names = new Map(
    drafts.flatMap((text) => {
      const { own, version, persona } = namedPersona(text);
      const label = `${persona.name}@${version}`;
      return [own, `${own}@${version}`].map((name) => [name, label] as const);
    }),
  );
  return Object.fromEntries(
    Object.entries(overrides).map(([role, each]) => {
      const label = each.persona === undefined ? undefined : names.get(each.persona);
      return [role, label === undefined ? each : { ...each, persona: label }];
    }),
  );
}

function draftPersona(text: string): BroughtPersona {
  const { persona } = namedPersona(text);
  const ofDraft = personaHash(persona);
  return { id: derivedId('draft', ofDraft), hash: ofDraft, persona };
}

function namedPersona(text: string) {
  const read = readPersonaText(text, 'persona draft');
  if (!read.ok) throw invalid(read.problems);
  const { name: own, version, hash: ofText, definition } = read.value;
  return { own, version, persona: { ...definition, name: draftName(own, ofText) } };
}

function draftName(own: string, ofText: string): string {
  const suffix = `-draft-${ofText.slice(0, 8)}`;
  return `${own.slice(0, LONGEST_NAME - suffix.length)}${suffix}`;
}

function invalid([first]: readonly Problem[]): DevflowError {
  return new DevflowError('template_invalid', first ? `${problemSentence(first)}.` : 'The draft is not valid.');
}
