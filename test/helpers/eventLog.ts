import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalLine, readFakeJournal } from '../../daemon/sessions/fake/fakeJournal.ts';
import { createRegistry } from '../../schemas/definitions/registry.ts';
import type { EventView, RunDetail } from '../../schemas/rpc/views/run.ts';

const NAMES = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|\b[0-9a-f]{40}\b/g;

/**
 * A log without what differs between runs, one line per event. Ids, hashes and commits become numbers in the order in
 * which they first appear. Paths are relative to the test's root, and times are left out.
 */
export function normalForm(events: readonly EventView[], root: string): string[] {
  const numbers = new Map<string, string>();
  const plain = (text: string) =>
    text.replaceAll(root, '<root>').replace(NAMES, (name) => {
      const number = numbers.get(name) ?? `#${numbers.size + 1}`;
      numbers.set(name, number);
      return number;
    });
  return events.map(({ seq, type, phaseId, payload, idempotencyKey }) =>
    plain(`${seq} ${type} phase=${phaseId} key=${idempotencyKey} ${JSON.stringify(payload)}`),
  );
}

/** The journals of a run's fake agents, in the order of their session ids. */
export async function readJournals(workspaceRoot: string, runId: string): Promise<JournalLine[][]> {
  const dir = join(workspaceRoot, runId, 'sessions');
  // A run that was aborted right after its start may have no agents.
  const ids = existsSync(dir) ? readdirSync(dir).sort() : [];
  return Promise.all(ids.map((id) => readFakeJournal(join(dir, id))));
}

/** How often each prompt arrived, over all agents of a run. */
export async function receivedPrompts(workspaceRoot: string, runId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const line of (await readJournals(workspaceRoot, runId)).flat()) {
    if (line.type === 'received') counts.set(line.dedupKey, (counts.get(line.dedupKey) ?? 0) + 1);
  }
  return counts;
}

const registry = createRegistry({ builtinDir: join(import.meta.dirname, '../../schemas/artifacts') });

/** The report, validated against its schema. */
export function readReport(run: Pick<RunDetail, 'finalReportPath'>): Record<string, unknown> {
  const markdown = run.finalReportPath ?? '';
  if (readFileSync(markdown, 'utf8').trim() === '') throw new Error(`${markdown} is empty`);
  const report = JSON.parse(readFileSync(markdown.replace(/\.md$/, '.json'), 'utf8'));
  const verdict = registry.validateArtifact('common/final-report@1', report);
  if (!verdict.ok) throw new Error(`the report is not valid: ${JSON.stringify(verdict.errors)}`);
  return report;
}
