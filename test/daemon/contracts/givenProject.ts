import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { scratchRepo } from '../../helpers/repo.ts';
import { PROJECT } from '../../schemas/contracts/handover/given.ts';
import { callsOn } from './givenDirectories.ts';

const NOW = Date.parse('2026-01-22T12:00:00Z');
export const STATE = '.session-state.local.json';
export const PROMPT = 'NEXT-SESSION-PROMPT.local.md';

/** A repository of git with a project of these files. */
export function given(files: Record<string, string> = {}, { isInUse = false } = {}) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const outside = join(repo.root, 'outside');
  mkdirSync(outside);
  const path = (name: string) => join(repo.dir, PROJECT, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  mkdirSync(path('.'), { recursive: true });
  for (const [name, text] of Object.entries(files)) write(name, text);
  const call = callsOn(repo.dir, { now: () => NOW, isInUse: async () => isInUse });
  const validate = (kind: string, at: string, options: object = {}) =>
    call('handover.validate', { kind, path: at, soft: false, dir: false, resume: false, ...options });
  const read = (name: string) => readFileSync(path(name), 'utf8');
  return { ...repo, outside, path, write, read, call, validate };
}

export const codes = (findings: { code: string }[]) => findings.map(({ code }) => code);
