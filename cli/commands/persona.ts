import { examplePersona } from '../../schemas/definitions/examples/examplePersona.ts';
import type { PersonaSummary } from '../../schemas/rpc/views/definition.ts';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { calls, withDaemon } from '../daemon/withDaemon.ts';
import type { Persona } from '../define/catalog.ts';
import { definitionFile, definitionSource } from '../input/definitionSource.ts';
import { removeDraft } from '../input/drafts.ts';
import { newDefinition, writeDefinition } from '../input/newDefinition.ts';
import { readInput } from '../input/readInput.ts';
import { printLint } from '../print/definition/lint.ts';
import { printProblems } from '../print/definition/problems.ts';
import { printDefinitionVerdict } from '../print/definition/verdict.ts';
import { type Column, printFacts, printJson, printList } from '../print/output.ts';
import { visible } from '../print/text.ts';

/** `devflow persona …`. */
export const actions: Persona = {
  async list(_params, { json }, io) {
    const [rows, status] = await withDaemon(io, (client) =>
      Promise.all([client.call('persona.list'), client.call('daemon.status')]),
    );
    printList(io, { json, rows, columns: COLUMNS, whenEmpty: 'There are no personas.' });
    if (!json) printProblems(io, status, 'persona');
    return 0;
  },
  show: calls('persona.get', (io, detail) => {
    printFacts(io, [
      ['persona', `${detail.name}@${detail.version}`],
      ['hash', detail.hash],
      ...Object.entries(detail.definition).flatMap(([name, value]): [string, string][] => {
        if (name === 'name' || name === 'version' || value === undefined || value === null) return [];
        return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
      }),
    ]);
  }),
  async validate(_params, { file, json }, io) {
    const text = await readInput(io, file, 'the persona file');
    const verdict = await callDaemonOrOneshot(io, 'persona.validate', { text });
    return printDefinitionVerdict(io, verdict, file, json);
  },
  async lint(_params, { given, ...options }, io) {
    const reports = [];
    for (const each of given) {
      const source = await definitionSource(io, each, 'persona');
      reports.push(await callDaemonOrOneshot(io, 'persona.lint', source));
    }
    return printLint(io, reports, options);
  },
  /** Publishes a draft, or the text of any file. */
  async publish(_params, { given, json }, io) {
    const file = definitionFile(io, given, 'persona') ?? given;
    const text = await readInput(io, file, 'the persona file');
    const answer = await callDaemonOrOneshot(io, 'persona.publish', { text });
    const { lint, published } = answer;
    if (published !== null) removeDraft(io, 'persona', file);
    if (json) printJson(io, answer);
    else {
      printLint(io, [{ ...lint, findings: lint.findings.map((finding) => ({ ...finding, file })) }], {});
      io.out(published === null ? 'Nothing was published.\n' : `Published: ${visible(published)}\n`);
    }
    return published === null ? 1 : 0;
  },
  async new(_params, { name, backend, out }, io) {
    const target = await newDefinition(io, 'persona', name, out);
    writeDefinition(io, 'persona', name, target, examplePersona(name, backend, target.version));
    return 0;
  },
};

const COLUMNS: Column<PersonaSummary>[] = [
  { title: 'PERSONA', cell: (persona) => `${persona.name}@${persona.version}` },
  { title: 'BACKEND', cell: (persona) => persona.backend },
  { title: 'RISK', cell: (persona) => persona.maxRiskLevel },
  { title: 'ROLES', cell: (persona) => persona.allowedRoles?.join(', ') ?? 'any' },
  { title: 'CAPABILITIES', cell: (persona) => persona.capabilities.join(', ') },
];
