import { z } from 'zod';
import { SCHEMA_ID } from '../names.ts';
import { Persona } from './persona.ts';

/** An artifact schema that comes with the draft of a template. */
export const BroughtSchema = z.strictObject({
  schema: z.string().regex(SCHEMA_ID),
  definition: z.record(z.string(), z.unknown()).describe('a JSON Schema'),
  ok: z.unknown().optional().describe('an example that it accepts, which fake agents write'),
});
export type BroughtSchema = z.infer<typeof BroughtSchema>;

/** The schemas and personas that a run of drafts has beside its template. None of them is published. */
export const Brought = z.strictObject({
  schemas: z.array(BroughtSchema),
  personas: z.array(z.strictObject({ id: z.string(), hash: z.string(), persona: Persona })),
});
export type Brought = z.infer<typeof Brought>;
