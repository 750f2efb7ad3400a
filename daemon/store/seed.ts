import { and, inArray, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Loaded, Definitions as LoadedDefinitions } from '../../schemas/definitions/definitions.ts';
import type { Persona } from '../../schemas/definitions/persona.ts';
import type { Template } from '../../schemas/definitions/template.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/open.ts';
import { agentPersonas, runBindings, runs, workflowTemplates } from '../db/schema/index.ts';

type Drizzle = Database['drizzle'];
type Kind = 'template' | 'persona';

interface Stored {
  kind: Kind;
  id: string;
  name: string;
  version: number;
  hash: string;
}

/** What seeding did, as `name@version`. */
export interface Seeded {
  added: string[];
  /** Their files are gone and no run refers to them. */
  removed: string[];
  /** Their files are gone, but runs refer to them. */
  kept: string[];
}

const TABLES = { template: workflowTemplates, persona: agentPersonas } as const;

/** Whether a run refers to a row; such a row outlives its file. */
const REFERENCES: Record<Kind, (db: Drizzle) => SQL> = {
  template: (db) =>
    notExists(
      db
        .select({ one: sql`1` })
        .from(runs)
        .where(
          or(sql`${runs.templateId} = ${workflowTemplates.id}`, sql`${runs.templateHash} = ${workflowTemplates.hash}`),
        ),
    ),
  persona: (db) =>
    notExists(
      db
        .select({ one: sql`1` })
        .from(runBindings)
        .where(
          or(
            sql`${runBindings.personaId} = ${agentPersonas.id}`,
            sql`${runBindings.personaHash} = ${agentPersonas.hash}`,
          ),
        ),
    ),
};

/**
 * Makes the database match the files; one query if it matches already. Throws `template_load_failed` if a published file has
 * changed, because runs refer to it by hash.
 */
export async function seed(db: Drizzle, loaded: LoadedDefinitions): Promise<Seeded> {
  const stored = await readStored(db);
  const found = { added: [], removed: [], kept: [] } as Seeded;
  const plans = [planFor('template', stored, loaded.templates), planFor('persona', stored, loaded.personas)];
  if (plans.every(({ missing, vanished }) => missing.length === 0 && vanished.length === 0)) return found;
  await db.transaction(async (transaction) => {
    for (const { kind, missing, vanished } of plans) {
      const gone = await removeUnreferenced(transaction, kind, vanished);
      if (missing.length > 0) await transaction.insert(TABLES[kind]).values(missing.map(asRow));
      found.added.push(...missing.map(label));
      found.removed.push(...vanished.filter(({ id }) => gone.has(id)).map(label));
      found.kept.push(...vanished.filter(({ id }) => !gone.has(id)).map(label));
    }
  });
  return found;
}

async function readStored(db: Drizzle): Promise<Stored[]> {
  const of = (kind: Kind) => {
    const { id, name, version, hash } = TABLES[kind];
    return db.select({ kind: sql<Kind>`${sql.raw(`'${kind}'`)}::text`, id, name, version, hash }).from(TABLES[kind]);
  };
  return of('template').unionAll(of('persona'));
}

interface Plan {
  kind: Kind;
  missing: Loaded<Template | Persona>[];
  vanished: Stored[];
}

function planFor(kind: Kind, all: Stored[], files: Loaded<Template | Persona>[]): Plan {
  const byLabel = new Map(files.map((file) => [label(file), file]));
  const stored = all.filter((row) => row.kind === kind);
  for (const row of stored) {
    const file = byLabel.get(label(row));
    if (file && file.hash !== row.hash) throw changed(kind, row, file);
  }
  const known = new Set(stored.map(label));
  return {
    kind,
    missing: files.filter((file) => !known.has(label(file))),
    vanished: stored.filter((row) => !byLabel.has(label(row))),
  };
}

async function removeUnreferenced(db: Drizzle, kind: Kind, vanished: Stored[]): Promise<Set<string>> {
  if (vanished.length === 0) return new Set();
  const table = TABLES[kind];
  const ids = vanished.map(({ id }) => id);
  const rows = await db
    .delete(table)
    .where(and(inArray(table.id, ids), REFERENCES[kind](db)))
    .returning({ id: table.id });
  return new Set(rows.map(({ id }) => id));
}

function changed(kind: Kind, row: Stored, file: Loaded<unknown>): DevflowError {
  return new DevflowError(
    'template_load_failed',
    `${file.file} changed after ${kind} ${label(row)} was published: the stored hash is ${row.hash}, the file has ${file.hash}.`,
    { data: { file: file.file, storedHash: row.hash, fileHash: file.hash } },
  );
}

function asRow({ name, version, hash, definition }: Loaded<Template | Persona>) {
  return { name, version, hash, definition };
}

function label({ name, version }: { name: string; version: number }): string {
  return `${name}@${version}`;
}
