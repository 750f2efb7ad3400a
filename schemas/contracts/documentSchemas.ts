import { AUTODEV_SCHEMAS } from './autodev/documentSchemas.ts';
import { CYCLE_SCHEMAS } from './cycle/documentSchemas.ts';
import type { DocumentSchema } from './document/jsonSchema.ts';
import { HANDOVER_SCHEMAS } from './handover/documentSchemas.ts';

/** Every document of a contract that has fields. `npm run generate` writes their JSON Schemas to `schemas/artifacts`. */
export const DOCUMENT_SCHEMAS: readonly DocumentSchema[] = [...HANDOVER_SCHEMAS, ...CYCLE_SCHEMAS, ...AUTODEV_SCHEMAS];
