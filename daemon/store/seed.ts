import { and, eq, inArray, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Loaded, Definitions as LoadedDefinitions } from '../../schemas/definitions/definitions.ts';
import type { Persona } from '../../schemas/definitions/persona.ts';
import type { Template } from '../../schemas/definitions/template.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/database.ts';
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

/** The result of seeding, as `name@version`. */
export interface Seeded {
  added: string[];
  /** Their files are gone and no run refers to them. */
  removed: string[];
  /** Their files are gone, but they stay stored: runs refer to them, or `keepVanished` says so. */
  kept: string[];
  /** The definitions in force: the files. If the user changed a published file, its stored content. */
  inForce: LoadedDefinitions;
}

export interface SeedOptions {
  /** Removes nothing. A run that just starts may refer to a definition before the database knows of it. */
  keepVanished?: boolean;
}

const TABLES = { template: workflowTemplates, persona: agentPersonas } as const;

/** The condition that no run refers to a row. A row with references outlives its file. */
const UNREFERENCED: Record<Kind, (db: Drizzle) => SQL> = {
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
 * Makes the database match the files; one query if it matches already. Runs refer to published definitions by their
 * hash. So a file that the user changed is an error, and the stored content stays in force. For a changed built-in file
 * it throws `template_load_failed`.
 */
export async function seed(
  db: Drizzle,
  loaded: LoadedDefinitions,
  { keepVanished = false }: SeedOptions = {},
): Promise<Seeded> {
  const stored = await readStored(db);
  const inForce = await keepPublished(db, stored, loaded);
  const found: Seeded = { added: [], removed: [], kept: [], inForce };
  const plans = [planFor('template', stored, inForce.templates), planFor('persona', stored, inForce.personas)];
  if (plans.every(({ missing, vanished }) => missing.length === 0 && vanished.length === 0)) return found;
  await db.transaction(async (transaction) => {
    for (const { kind, missing, vanished } of plans) {
      const gone = keepVanished ? new Set() : await removeUnreferenced(transaction, kind, vanished);
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

async function keepPublished(db: Drizzle, stored: Stored[], loaded: LoadedDefinitions): Promise<LoadedDefinitions> {
  const errors = [...loaded.errors];
  const settle = async <T>(kind: Kind, files: Loaded<T>[]): Promise<Loaded<T>[]> => {
    const rows = new Map(stored.filter((row) => row.kind === kind).map((row) => [label(row), row]));
    const settled: Loaded<T>[] = [];
    for (const file of files) {
      const row = rows.get(label(file));
      if (row && row.hash !== file.hash) {
        if (file.source === 'built-in') throw changed(kind, row, file);
        const message = `${label(row)} was published with other content, which stays in force; give yours another version`;
        errors.push({ file: file.file, path: 'version', message });
        settled.push({ ...file, hash: row.hash, definition: (await readDefinition(db, row)) as T });
      } else settled.push(file);
    }
    return settled;
  };
  return {
    templates: await settle('template', loaded.templates),
    personas: await settle('persona', loaded.personas),
    errors,
  };
}

async function readDefinition(db: Drizzle, { kind, id }: Stored): Promise<unknown> {
  const table = TABLES[kind];
  const [row] = await db.select({ definition: table.definition }).from(table).where(eq(table.id, id));
  return row?.definition;
}

interface Plan {
  kind: Kind;
  missing: Loaded<Template | Persona>[];
  vanished: Stored[];
}

function planFor(kind: Kind, all: Stored[], files: Loaded<Template | Persona>[]): Plan {
  const byLabel = new Map(files.map((file) => [label(file), file]));
  const stored = all.filter((row) => row.kind === kind);
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
    .where(and(inArray(table.id, ids), UNREFERENCED[kind](db)))
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
