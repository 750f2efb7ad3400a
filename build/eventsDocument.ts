import { z } from 'zod';
import type { EventDefinition } from '../schemas/events/define.ts';
import { EVENTS } from '../schemas/events/index.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Writers of tables, code, and the fields of an object with their types, as in `build/generate.ts`. */
interface Words {
  table(head: string[], rows: string[][]): string;
  code(text: string): string;
  fields(schema: JsonSchema): string[];
}

const INTRODUCTION =
  'The closed list of events (`schemas/events/`). The log keeps one event for each idempotency key. `seq` counts from 1 in every run, without a gap. A `?` marks an optional field. An event with several rows has one of these payloads.';

/** Title, introduction and sections of `docs/events.md`. */
export function eventsDocument({ table, code, fields }: Words): [string, string, ...string[]] {
  const all: readonly EventDefinition[] = EVENTS;
  const sections = [...Map.groupBy(all, familyOf)].map(([family, definitions]) => {
    const rows = definitions.flatMap((definition) =>
      variantsOf(definition).map((payload) => [
        code(definition.type),
        code(keyFormula(definition, payload)),
        fields(payload).map(code).join(', ') || '–',
      ]),
    );
    return `## ${family}\n\n${table(['event', 'idempotency key', 'payload'], rows)}`;
  });
  return ['Run events', INTRODUCTION, ...sections];
}

function familyOf({ type }: EventDefinition): string {
  return type.slice(0, type.indexOf('.'));
}

/** The payloads that the event may have. */
function variantsOf({ payload }: EventDefinition): JsonSchema[] {
  const schema: JsonSchema = z.toJSONSchema(payload);
  return (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[];
}

/** The formula, called with a placeholder for every fact. */
function keyFormula({ key }: EventDefinition, { properties = {} }: JsonSchema): string {
  const facts = Object.entries(properties).map(([name, one]) => {
    const isList = typeof one === 'object' && one.type === 'array';
    return [name, isList ? [`<${name}[0]>`] : `<${name}>`];
  });
  return key({ runId: '<runId>', phaseId: '<phaseId>', payload: Object.fromEntries(facts) });
}
