import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, id } from './columns.ts';

/** Seeded from `schemas/templates`; a published (name, version) never changes its hash. */
export const workflowTemplates = pgTable(
  'workflow_templates',
  {
    id: id(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    hash: text('hash').notNull().unique('workflow_templates_hash_key'),
    definition: jsonb('definition').notNull(),
    createdAt: createdAt(),
  },
  (t) => [unique('workflow_templates_name_version_key').on(t.name, t.version)],
);

/** Seeded from `schemas/personas`, with the same rule. */
export const agentPersonas = pgTable(
  'agent_personas',
  {
    id: id(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    hash: text('hash').notNull().unique('agent_personas_hash_key'),
    definition: jsonb('definition').notNull(),
    createdAt: createdAt(),
  },
  (t) => [unique('agent_personas_name_version_key').on(t.name, t.version)],
);
