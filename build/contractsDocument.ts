import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUTODEV_SCHEMAS } from '../schemas/contracts/autodev/documentSchemas.ts';
import { CYCLE_SCHEMAS } from '../schemas/contracts/cycle/documentSchemas.ts';
import { type DocumentSchema, jsonSchemaOf } from '../schemas/contracts/document/jsonSchema.ts';
import { HANDOVER_SCHEMAS } from '../schemas/contracts/handover/documentSchemas.ts';
import { CODES, CONTRACTS } from '../schemas/contracts/report/codes.ts';

/** Every document of a contract that has fields. `npm run generate` writes their JSON Schemas to `schemas/artifacts`. */
export const DOCUMENT_SCHEMAS: readonly DocumentSchema[] = [...HANDOVER_SCHEMAS, ...CYCLE_SCHEMAS, ...AUTODEV_SCHEMAS];

const ROOT = join(import.meta.dirname, '..');

/** The families of behaviours, by the beginning of their numbers. */
const FAMILIES: Readonly<Record<string, string>> = {
  CC: 'All contracts',
  SD: 'State directory',
  HC: 'Handovers',
  AD: 'Autodev pointer',
  CS: 'Development cycle',
};

type Table = (head: string[], rows: string[][]) => string;

const INTRODUCTION =
  'Rules about files that programs and agents hand to each other. [usage.md](usage.md#contracts) says how to check them. A finding has one of these codes. `strict` is for who writes a document, `soft` for who reads it. A code is never renamed or used again for something else. `schemas/artifacts/<id>.json` has the fields of a document as a JSON Schema: what it refuses, the contract reports. For Markdown it describes the frontmatter.';

/** Title, introduction and sections of `docs/contracts.md`: the codes of each contract, and the numbered behaviours with their tests. */
export function contractsDocument(table: Table): [string, string, ...string[]] {
  return ['Contracts', INTRODUCTION, ...CONTRACTS.map((contract) => codesOf(contract, table)), ...behaviours(table)];
}

/** From path to content: the JSON Schemas of documents, made from the tables of their fields. */
export function contractSchemas(): Record<string, string> {
  return Object.fromEntries(
    DOCUMENT_SCHEMAS.map((document) => [
      `schemas/artifacts/${document.id}.json`,
      `${JSON.stringify(jsonSchemaOf(document), null, 2)}\n`,
    ]),
  );
}

function codesOf({ id, location, what }: (typeof CONTRACTS)[number], table: Table): string {
  const rows = Object.entries(CODES)
    .filter(([, { contracts }]) => contracts.includes(id))
    .map(([code, { strict, soft, meaning }]) => [`\`${code}\``, strict, soft, meaning]);
  return `## ${id}\n\n\`${location}\`: ${what}.\n\n${table(['code', 'strict', 'soft', 'meaning'], rows)}`;
}

/** A test names the behaviours that it shows: `SD-17: …`, `AD-2, AD-5: …`, `HC-8.1 …`. */
const NAMED = /(['"`])((?:CC|SD|HC|AD|CS)-\d+(?:\.\d+)?(?:,? (?:CC|SD|HC|AD|CS)-\d+(?:\.\d+)?)*):? ([^\n]*?)\1/g;
const EACH = /\b([A-Z]{2})-(\d+(?:\.\d+)?)/g;

function behaviours(table: Table): string[] {
  const found: { family: string; number: string; title: string; file: string }[] = [];
  for (const file of globSync('test/**/*.test.ts', { cwd: ROOT }).sort()) {
    for (const [, , numbers = '', title = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(NAMED)) {
      for (const [, family = '', number = ''] of numbers.matchAll(EACH)) found.push({ family, number, title, file });
    }
  }
  return Object.entries(FAMILIES).flatMap(([family, name]) => {
    const rows = found
      .filter((each) => each.family === family)
      .sort((a, b) => compareNumbers(a.number, b.number))
      .map(({ number, title, file }) => [`${family}-${number}`, title.replaceAll('|', '\\|'), `\`${file}\``]);
    return rows.length === 0
      ? []
      : [`## Behaviours: ${name}\n\n${table(['number', 'what a test shows', 'test'], rows)}`];
  });
}

function compareNumbers(a: string, b: string): number {
  const [first, second] = [a, b].map((each) => each.split('.').map(Number));
  return (first?.[0] ?? 0) - (second?.[0] ?? 0) || (first?.[1] ?? 0) - (second?.[1] ?? 0);
}
