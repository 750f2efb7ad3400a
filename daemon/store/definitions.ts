import { asc, desc, eq, inArray, max } from 'drizzle-orm';
import type { Brought } from '../../schemas/definitions/brought.ts';
import type { Definitions as LoadedDefinitions } from '../../schemas/definitions/definitions.ts';
import { findDefinition } from '../../schemas/definitions/findDefinition.ts';
import type { Persona } from '../../schemas/definitions/persona.ts';
import type { Template } from '../../schemas/definitions/template.ts';
import type { Database } from '../db/database.ts';
import { agentPersonas, runBindings, runs, workflowTemplates } from '../db/schema/index.ts';
import { type Seeded, type SeedOptions, seed } from './seed.ts';

/** A published template or persona, as stored. */
interface Row {
  id: string;
  name: string;
  version: number;
  hash: string;
  createdAt: Date;
  /** False if its file is gone and only runs refer to it. */
  published: boolean;
  /** Absent when not published. */
  source?: 'built-in' | 'user';
  file?: string;
}

export type TemplateRecord = Row & { template: Template };
type PersonaRecord = Row & { persona: Persona };

interface Drafts {
  template?: Pick<TemplateRecord, 'id' | 'name' | 'version' | 'hash' | 'template'>;
  personas: readonly { id: string; hash: string; persona: Persona }[];
}

export interface ListOptions {
  /** Include definitions whose files are gone and that runs still refer to. New runs must not bind them. */
  unpublished?: boolean;
}

/** Reads definitions after new files are taken up, which nobody may have noticed yet. */
export type LookAgain = <T>(read: () => Promise<T>) => Promise<T>;

/** The templates and personas of this database. `ref` is `name` (its newest version) or `name@version`. */
export interface Definitions {
  /** See `seed`. Call it at each start of the daemon before any read, and when files of the user changed. */
  seed(loaded: LoadedDefinitions, options?: SeedOptions): Promise<Seeded>;
  /** By name, newest version first; so are personas. */
  listTemplates(options?: ListOptions): Promise<TemplateRecord[]>;
  listPersonas(options?: ListOptions): Promise<PersonaRecord[]>;
  /** Throws `template_not_found` with the nearest name. Finds an unpublished template only by `name@version`. */
  getTemplate(ref: string): Promise<TemplateRecord>;
  /** As `getTemplate`, but throws `persona_not_found`. */
  getPersona(ref: string): Promise<PersonaRecord>;
  /** The versions of a name that are stored, also those whose files are gone. */
  storedVersions(kind: 'template' | 'persona', name: string): Promise<{ version: number; hash: string }[]>;
  /** Stores drafts for the run that begins with them. They are not listed, and go when no run has them. */
  keepDrafts(drafts: Drafts): Promise<void>;
  /** Ids of the newest runs with this template, or with this persona in a role; newest first. */
  listRunsOf(kind: 'template' | 'persona', id: string): Promise<string[]>;
  /** By the id of a template, when its newest run was created. */
  lastUses(): Promise<ReadonlyMap<string, string>>;
}

const MOST_RUNS = 100;

export function createDefinitions(db: Database['drizzle']): Definitions {
  /** By hash, from the last seeding: the definitions that have files. */
  let published = new Map<string, { source: 'built-in' | 'user'; file: string }>();

  const marked = <T extends { hash: string }>(rows: T[], { unpublished = false }: ListOptions) =>
    rows
      .map((row) => ({ ...row, published: published.has(row.hash), ...published.get(row.hash) }))
      .filter((row) => unpublished || row.published);

  async function listTemplates(options: ListOptions = {}): Promise<TemplateRecord[]> {
    const { name, version } = workflowTemplates;
    const rows = await db.select().from(workflowTemplates).orderBy(asc(name), desc(version));
    return marked(rows, options).map(({ definition, ...row }) => ({ ...row, template: definition as Template }));
  }

  async function listPersonas(options: ListOptions = {}): Promise<PersonaRecord[]> {
    const { name, version } = agentPersonas;
    const rows = await db.select().from(agentPersonas).orderBy(asc(name), desc(version));
    return marked(rows, options).map(({ definition, ...row }) => ({ ...row, persona: definition as Persona }));
  }

  return {
    async seed(loaded, options) {
      const seeded = await seed(db, loaded, options);
      const all = [...seeded.inForce.templates, ...seeded.inForce.personas];
      published = new Map(all.map(({ hash, source, file }) => [hash, { source, file }]));
      return seeded;
    },
    listTemplates,
    listPersonas,
    getTemplate: async (ref) => findDefinition(await listTemplates({ unpublished: true }), ref, 'template'),
    getPersona: async (ref) => findDefinition(await listPersonas({ unpublished: true }), ref, 'persona'),
    storedVersions: (kind, name) => {
      const table = kind === 'template' ? workflowTemplates : agentPersonas;
      return db.select({ version: table.version, hash: table.hash }).from(table).where(eq(table.name, name));
    },
    async keepDrafts({ template, personas }) {
      if (template) {
        const { template: definition, ...identity } = template;
        await db
          .insert(workflowTemplates)
          .values({ ...identity, definition })
          .onConflictDoNothing();
      }
      for (const { id, hash, persona } of personas) {
        const { name, version } = persona;
        await db.insert(agentPersonas).values({ id, name, version, hash, definition: persona }).onConflictDoNothing();
      }
    },
    async listRunsOf(kind, id) {
      const bound = db.select({ id: runBindings.runId }).from(runBindings).where(eq(runBindings.personaId, id));
      const which = kind === 'template' ? eq(runs.templateId, id) : inArray(runs.id, bound);
      const rows = await db
        .select({ id: runs.id })
        .from(runs)
        .where(which)
        .orderBy(desc(runs.createdAt))
        .limit(MOST_RUNS);
      return rows.map((run) => run.id);
    },
    async lastUses() {
      const newest = max(runs.createdAt);
      const rows = await db.select({ id: runs.templateId, newest }).from(runs).groupBy(runs.templateId);
      return new Map(rows.map(({ id, newest: at }) => [id, at?.toISOString() ?? '']));
    },
  };
}

/** The personas that can play a role of a run: all published ones, and drafts that a role names. */
export async function personasFor(
  brought: Brought | null,
  definitions: Pick<Definitions, 'listPersonas'>,
): Promise<(Pick<PersonaRecord, 'id' | 'hash' | 'persona'> & { onlyByName?: true })[]> {
  const drafts = (brought?.personas ?? []).map((each) => ({ ...each, onlyByName: true as const }));
  return [...(await definitions.listPersonas()), ...drafts];
}
