import { join } from 'node:path';
import { candidatesFor } from '../../../../daemon/api/definitions/lintKnowledge.ts';
import { cannotFail } from '../../../../daemon/discovery/cannotFail/cannotFail.ts';
import { checkPolicy } from '../../../../daemon/policy/policy.ts';
import { loadDefinitions } from '../../../../schemas/definitions/definitions.ts';
import type { Known } from '../../../../schemas/definitions/lint/known.ts';
import { lintPersona } from '../../../../schemas/definitions/lint/lintPersona.ts';
import { lintTemplate } from '../../../../schemas/definitions/lint/lintTemplate.ts';
import type { Linted } from '../../../../schemas/definitions/lint/lintText.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import type { Backend } from '../../../../schemas/enums.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

export const SCHEMAS = join(packageRoot(), 'schemas');
const registry = createRegistry({ builtinDir: join(SCHEMAS, 'artifacts') });
const definitions = loadDefinitions({
  builtin: { templates: join(SCHEMAS, 'templates'), personas: join(SCHEMAS, 'personas') },
  schemas: registry,
});

export interface Given {
  file?: string;
  /** The installed backends; absent: nobody looked. */
  installed?: Backend[];
}

function knownWith({ installed }: Given): Known {
  return {
    schemas: registry,
    definitions,
    checkCommand: checkPolicy,
    cannotFail: (argv) => cannotFail(argv),
    candidates: (role, template) => candidatesFor(role, template, definitions.personas),
    ...(installed && { isAvailable: (backend: Backend) => installed.includes(backend) }),
  };
}

/** What lint says about a text. */
export type Said = Linted & { text: string };

export function templateLint(text: string, given: Given = {}): Said {
  const { file = 'x' } = given;
  return { text, ...lintTemplate({ text, file, isFile: given.file !== undefined }, knownWith(given)) };
}

export function personaLint(text: string, given: Given = {}): Said {
  const { file = 'x' } = given;
  return { text, ...lintPersona({ text, file, isFile: given.file !== undefined }, knownWith(given)) };
}

/** `line word severity code: message` of each finding; the word is what stands at its line and column. */
export function linesOf({ findings, text }: Said): string[] {
  const lines = text.split('\n');
  return findings.map(({ line, column, severity, code, message }) => {
    const [word = ''] = /^(?:[\w-]+|.)/u.exec(lines[line - 1]?.slice(column - 1) ?? '') ?? [];
    return `${line} ${word} ${severity} ${code}: ${message}`;
  });
}

const CODER = '{ id: coder, requiredCapabilities: [code_edit] }';

interface Shape {
  /** The top of the file, in place of the name and version. */
  top?: string;
  roles?: string;
  /** The phases, a line each; the last is `VERIFY` unless `end` replaces it. */
  phases?: string[];
  end?: string[];
}

export const CODE =
  '{ key: code, title: Code, risk: medium, roles: [coder], expectedArtifact: { path: a.json, schema: dev/implementation@1 }, instructions: Do it. }';
export const VERIFY = '{ key: verify, title: Check, kind: command, risk: medium, gates: [approved] }';

/** `CODE` with other or more keys. */
export function code(changes: Record<string, string>): string {
  const entries = CODE.slice(2, -2).match(/\w+: (?:\{[^}]*\}|\[[^\]]*\]|[^,]*)/g) ?? [];
  const fields = new Map(entries.map((entry) => [entry.split(':')[0] ?? '', entry.slice(entry.indexOf(':') + 2)]));
  for (const [key, value] of Object.entries(changes)) fields.set(key, value);
  return `{ ${[...fields].map(([key, value]) => `${key}: ${value}`).join(', ')} }`;
}

/** A sound template: name and version are lines 1 and 2, roles is line 3, and the phases begin with line 5. */
export function template({
  top = 'name: mine\nversion: 1',
  roles = CODER,
  phases = [CODE],
  end = [VERIFY],
}: Shape = {}): string {
  return `${top}\nroles: [${roles}]\nphases:\n${[...phases, ...end].map((phase) => `  - ${phase}\n`).join('')}`;
}

/** A sound persona: a line for each key. */
export function persona(changes: Record<string, string> = {}): string {
  const fields = { name: 'me', version: '1', backend: 'claude', capabilities: '[code_edit]', maxRiskLevel: 'high' };
  return Object.entries({ ...fields, ...changes })
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}
