import { z } from 'zod';
import { section, setting } from './setting.ts';

const AbsolutePath = z.string().startsWith('/');
const ABSOLUTE_PATH = 'an absolute path';

/** A host's id is part of a task queue's name, of a lease and of a line on a screen. */
export const HostId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/);
const HOST_ID = 'up to 63 letters, digits, . _ and -, the first a letter or digit';

/** ssh takes a word that begins with - as an option. */
const SshDestination = z.string().regex(/^[^-\s\p{C}][^\s\p{C}]*$/u);
const SshWords = z.array(z.string().regex(/^\P{C}*$/u)).min(1);

/** The engine that runs of several hosts share. It is an optional part. `engine: local` reads `host` alone. */
export const TEMPORAL = section('The Temporal server, with `engine: temporal`.', {
  address: setting(z.string().regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9A-Fa-f:]+\]:\d{1,5}$/), {
    allowed: 'a host and a port, such as 127.0.0.1:7233',
    purpose: "The address of the server's frontend.",
    variable: 'TEMPORAL_ADDRESS',
    byDefault: '127.0.0.1:7233',
  }),
  namespace: setting(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/), {
    allowed: 'up to 200 letters, digits, . _ and -, the first a letter or digit',
    purpose: 'The namespace of the workflows; it must exist.',
    variable: 'TEMPORAL_NAMESPACE',
    byDefault: 'devflow',
  }),
  prefix: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/)
      .optional(),
    {
      allowed: 'up to 100 letters, digits, . _ and -, the first a letter or digit',
      purpose: 'What the names of the task queues begin with, by default a name that belongs to the database.',
      variable: 'TEMPORAL_PREFIX',
    },
  ),
  host: setting(HostId.optional(), {
    allowed: HOST_ID,
    purpose:
      'The id of this machine among the hosts of one database, with either engine, by default the one that it has there, at first its host name; runs that began under an id keep it, so devflow refuses another one while they are open.',
    variable: 'TEMPORAL_HOST',
  }),
  apiKey: setting(z.string().min(1).optional(), {
    allowed: 'a string',
    purpose: 'The API key for the server, if it wants one.',
    variable: 'TEMPORAL_API_KEY',
  }),
  silentHostMs: setting(z.int().positive(), {
    allowed: 'a whole number of milliseconds above 0',
    purpose:
      'How long a host may take no work before devflow asks a person; a host that starts again within this time continues by itself.',
    variable: 'TEMPORAL_SILENT_HOST_MS',
    byDefault: 5 * 60 * 1000,
  }),
  tls: z.strictObject({
    enabled: setting(z.boolean(), {
      allowed: 'true or false',
      purpose: 'Whether the connection is encrypted.',
      variable: 'TEMPORAL_TLS',
      byDefault: false,
    }),
    caFile: setting(AbsolutePath.optional(), {
      allowed: ABSOLUTE_PATH,
      purpose: "The certificates (PEM) that the server's own is checked against, by default those of the system.",
      variable: 'TEMPORAL_TLS_CA',
    }),
    certFile: setting(AbsolutePath.optional(), {
      allowed: ABSOLUTE_PATH,
      purpose: 'The certificate (PEM) of this client, for a server that wants one.',
      variable: 'TEMPORAL_TLS_CERT',
    }),
    keyFile: setting(AbsolutePath.optional(), {
      allowed: ABSOLUTE_PATH,
      purpose: 'The key (PEM) of `temporal.tls.certFile`.',
      variable: 'TEMPORAL_TLS_KEY',
    }),
    serverName: setting(z.string().min(1).optional(), {
      allowed: 'a host name',
      purpose: "The name that the server's certificate must have, if it is not that of the address.",
      variable: 'TEMPORAL_TLS_SERVER_NAME',
    }),
  }),
});

/** A person's way to the other hosts. Only the command line and the dashboard read it. */
export const HOSTS = setting(z.record(HostId, z.strictObject({ ssh: z.union([SshDestination, SshWords]) })), {
  allowed:
    'a map of host ids to {ssh: DESTINATION}, where DESTINATION is a word such as user@name, or a list of words for ssh, the destination last',
  purpose:
    'How `devflow attach` reaches the other hosts of `engine: temporal`: `hosts.<id>.ssh` is what you would write after `ssh` to log in there.',
  byDefault: {},
});

/** A host name as a host id: what an id may not have becomes a hyphen. */
export function hostIdOf(hostname: string): string {
  const id = hostname
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 63);
  return id === '' ? 'localhost' : id;
}
