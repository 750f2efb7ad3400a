import { Readable } from 'node:stream';
import type { Io } from '../../cli/io/io.ts';

export interface FakeIo extends Io {
  written: { out: string; err: string };
}

/** An isolated environment for a command: it prints nothing, and no daemon is near. */
export function fakeIo(given: Partial<Io> & { input?: string } = {}): FakeIo {
  const written = { out: '', err: '' };
  const { input = '', ...rest } = given;
  return {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    env: { DEVFLOW_HOME: '/nonexistent/devflow-test' },
    cwd: '/',
    stdin: Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream,
    outIsTty: false,
    errIsTty: false,
    inIsTty: false,
    columns: Number.POSITIVE_INFINITY,
    color: false,
    ...rest,
    written,
  };
}
