import { BACKENDS } from '../../schemas/names.ts';
import type { Client } from '../client/connect.ts';
import { askDaemon } from '../daemon/withDaemon.ts';
import type { Io } from '../io/io.ts';
import type { Candidate, Cursor } from './cursor.ts';

/** Candidates for `role=value`: first the roles of the template that have no value yet, then the values for a role. */
export async function pairsFor(kind: 'backend' | 'persona', cursor: Cursor, io: Io): Promise<Candidate[]> {
  const at = cursor.word.indexOf('=');
  if (at < 0) return askDaemon(io, (client) => freeRoles(client, cursor, kind));
  const role = cursor.word.slice(0, at);
  const values = kind === 'backend' ? backends() : await askDaemon(io, (client) => personas(client, role));
  return values.map(([value, description]): Candidate => [`${role}=${value}`, description]);
}

async function freeRoles(client: Client, { path, given }: Cursor, kind: string): Promise<Candidate[]> {
  const wanted = path === '/review' ? 'review' : given.get('--template')?.at(-1);
  const taken = (given.get(kind === 'backend' ? '--backend' : '--bind') ?? []).map((pair) => pair.split('=')[0]);
  const where = new Map<string, string[]>();
  for (const { name, version, roles } of await client.call('template.list')) {
    const template = `${name}@${version}`;
    if (wanted !== undefined && wanted !== name && wanted !== template) continue;
    for (const role of roles) where.set(role, [...(where.get(role) ?? []), template]);
  }
  return [...where].flatMap(([role, templates]): Candidate[] => {
    return taken.includes(role) ? [] : [[`${role}=`, `role of ${templates.join(', ')}`]];
  });
}

function backends(): Candidate[] {
  return BACKENDS.map((backend) => [backend, backend === 'fake' ? 'scripted, for tests and demos' : 'backend']);
}

async function personas(client: Client, role: string): Promise<Candidate[]> {
  const all = await client.call('persona.list');
  return all
    .filter(({ allowedRoles }) => allowedRoles === null || allowedRoles.includes(role))
    .map(({ name, version, backend }): Candidate => [`${name}@${version}`, `persona for ${backend}`]);
}
