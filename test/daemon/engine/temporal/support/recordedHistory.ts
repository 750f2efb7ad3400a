import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Histories of workflows as a Temporal server gives them. A recording never changes: workflows that run must go on. */
export const DIRECTORY = join(import.meta.dirname, '../../../../fixtures/temporal');

export const fileOf = (name: string) => join(DIRECTORY, `${name}.json`);
export const listHistories = () => readdirSync(DIRECTORY).map((file) => file.replace(/\.json$/, ''));
export const isMissing = (name: string) => !existsSync(fileOf(name));

interface Payloads {
  payloads?: { data: string }[];
}

/** An event, as far as the replay reads it. */
export interface HistoryEvent {
  eventId: string;
  eventTime: string;
  eventType: string;
  [attributes: `${string}EventAttributes`]: Record<string, unknown> | undefined;
}

export function readHistory(name: string): HistoryEvent[] {
  return JSON.parse(readFileSync(fileOf(name), 'utf8')).events;
}

/** The values of a list of payloads. */
export function valuesOf(payloads: unknown): unknown[] {
  const { payloads: list = [] } = (payloads ?? {}) as Payloads;
  return list.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString('utf8')));
}

/** Writes the history of a workflow. */
export async function recordHistory(
  { address, namespace, packages }: { address: string; namespace: string; packages: string },
  workflowId: string,
  name: string,
): Promise<void> {
  const require = createRequire(join(packages, 'package.json'));
  const { Client, Connection } = require('@temporalio/client');
  const { historyToJSON } = require('@temporalio/common/lib/proto-utils');
  const connection = await Connection.connect({ address });
  const history = await new Client({ connection, namespace }).workflow.getHandle(workflowId).fetchHistory();
  await connection.close();
  writeFileSync(fileOf(name), `${historyToJSON(history)}\n`);
}
