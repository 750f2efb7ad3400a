import type { Client } from '../client/connect.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Io } from '../io/io.ts';
import type { Candidate } from './place.ts';

/** Short, because a person waits at the prompt. */
const PATIENCE = { lookMs: 400, giveUpMs: 400 };

/** Asks a running daemon. Returns nothing if none answers. */
export async function askDaemon(io: Io, read: (client: Client) => Promise<Candidate[]>): Promise<Candidate[]> {
  return (await readDaemon(io, read, PATIENCE)) ?? [];
}
