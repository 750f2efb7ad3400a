import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What scripts of devflow and of sandboxes run by their names. */
const NAMES = ['sh', 'sed', 'cut', 'ln', 'rm', 'mv', 'mkfifo', 'sleep', 'env', 'perl', 'bwrap', 'nice'];

/** Programs as an agent could leave them in a directory of its search path. Each tells `proof` and does its work. */
export function plantPrograms(bin: string, proof: string) {
  mkdirSync(bin, { recursive: true });
  for (const name of NAMES) plant(bin, name, `echo ${name} >>${proof}; exec /usr/bin/${name} "$@"`);
  plant(bin, 'tool', 'echo tool');
  mkdirSync(dirname(proof), { recursive: true });
  /** The names of those that ran where they can write. */
  return { ran: () => (existsSync(proof) ? readFileSync(proof, 'utf8').split('\n') : []) };
}

function plant(bin: string, name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
