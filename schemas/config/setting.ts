import { z } from 'zod';

/** The facts of a setting besides its schema. */
interface SettingFacts<T> {
  /** The allowed values. They end the sentence about a wrong value. */
  allowed: string;
  /** The purpose of the setting: one sentence of Markdown. */
  purpose: string;
  /** The flat name, if it has one: bare in devflow's env files, with `DEVFLOW_` in the environment. */
  variable?: string;
  /** Absent: the setting has no default. */
  byDefault?: T | ((places: DefaultPlaces) => T);
}

/** Defaults that depend on the machine. */
export interface DefaultPlaces {
  workspaceRoot: string;
  tmuxSocketName: string;
}

const FACTS = z.registry<SettingFacts<unknown>>();
const SECTIONS = z.registry<{ about: string }>();

/** Declares one setting: its schema, and everything else there is to say about it. */
export function setting<S extends z.ZodType>(schema: S, facts: SettingFacts<NonNullable<z.output<S>> | null>): S {
  // A clone, because one schema serves several settings.
  const own = schema.describe(facts.allowed);
  FACTS.add(own, facts);
  return own;
}

/** Declares settings that stand together, with a sentence of Markdown about them. */
export function section<S extends z.ZodRawShape>(about: string, shape: S): z.ZodObject<S, z.core.$strict> {
  const own = z.strictObject(shape);
  SECTIONS.add(own, { about });
  return own;
}

/** A setting as the table declares it. */
export interface DeclaredSetting extends SettingFacts<unknown> {
  /** Dotted: `recovery.artifactTimeoutMs`. */
  path: string;
  schema: z.core.$ZodType;
}

/** All settings below an object, in the order of the table. */
export function settingsIn(schema: z.ZodObject, at: readonly string[] = []): DeclaredSetting[] {
  return Object.entries(schema.shape).flatMap(([key, inner]): DeclaredSetting[] => {
    const path = [...at, key];
    if (inner instanceof z.ZodObject) return settingsIn(inner, path);
    const facts = FACTS.get(inner as z.ZodType);
    if (!facts) throw new Error(`${path.join('.')} is not declared with setting()`);
    return [{ ...facts, path: path.join('.'), schema: inner as z.ZodType }];
  });
}

/** The sentence about a section; undefined for anything else. */
export function sectionAbout(schema: z.core.$ZodType): string | undefined {
  return SECTIONS.get(schema as z.ZodType)?.about;
}
