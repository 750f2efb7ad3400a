import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CycleState } from '../../../schemas/contracts/cycle/state/cycleState.ts';
import type { Report } from '../../../schemas/contracts/report/report.ts';
import type { MethodName } from '../../../schemas/rpc/methods/index.ts';
import { givenDirectories } from './givenDirectories.ts';

export const ID = 'cycle-v1-20260122T100000-abc123';
export const STATE = `.workflow/.cycle/${ID}.json`;
export const progress = (path: string) => `.workflow/.cycle/${ID}.progress/${path}`;
const START = Date.parse('2026-01-22T10:00:00+08:00');

type Method = MethodName & `cycle.${string}`;

/** A repository in a directory of the test, and the methods of cycles. Each call happens a minute after the last one. */
export function givenCycles({ isInUse = false } = {}) {
  let now = START - 60_000;
  const ports = { now: () => now, isInUse: async () => isInUse };
  const { root, repo, outside, call: callNow } = givenDirectories('cycle', ports);
  const call = async (method: Method, params: object = {}) => {
    now += 60_000;
    return callNow(method, params);
  };
  /** A method on the one cycle of the test. */
  const on = (method: Method, params: object = {}) => call(method, { id: ID, ...params });
  const state = (): CycleState => JSON.parse(read(STATE));
  const read = (path: string) => readFileSync(join(repo, path), 'utf8');
  return {
    root,
    repo,
    outside,
    call,
    on,
    report: (method: Method, params: object = {}): Promise<Report> => on(method, params),
    apply: (event: object): Promise<{ state: CycleState; files: string[] }> => on('cycle.apply', { event }),
    create: (): Promise<CycleState> => on('cycle.new', { task: 'Implement OAuth authentication' }),
    async start() {
      await this.create();
      await this.apply({ type: 'iteration.started' });
    },
    /** The code of the refusal, with its data. */
    async refused(method: Method, params: object = {}): Promise<{ code: string; data: Record<string, unknown> }> {
      try {
        await call(method, { id: ID, ...params });
      } catch (error) {
        const { code, data } = error as { code: string; data: Record<string, unknown> };
        return { code, data };
      }
      throw new Error(`${method} was not refused`);
    },
    state,
    read,
    has: (path: string) => existsSync(join(repo, path)),
    write(path: string, text: string | Uint8Array) {
      mkdirSync(dirname(join(repo, path)), { recursive: true });
      writeFileSync(join(repo, path), text);
    },
    /** Every path of the repository, with the bytes of its files. */
    bytes(dir = root): Record<string, string> {
      const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
      return Object.fromEntries(paths.map((path) => [path, contentOf(join(dir, path))]));
    },
  };
}

/** It follows links: what is behind one must not change either. */
function contentOf(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts) return 'no target';
  return facts.isFile() ? readFileSync(path, 'base64') : 'no file';
}
