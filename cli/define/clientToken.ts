import { randomUUID } from 'node:crypto';
import { uuid } from '../input/parse.ts';
import { text } from './entry.ts';

/** Each call has its own token, unless one is given. */
export const CLIENT_TOKEN = {
  ...text('<uuid>', 'makes a retry safe: a second call with this token changes nothing'),
  read: (given: string | undefined, name: string) => (given === undefined ? randomUUID() : uuid(name, given)),
};
