import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { runDoctor } from '../../../daemon/doctor/doctor.ts';
import type { CheckResult, DoctorSubject } from '../../../daemon/doctor/probe/check.ts';
import { readConfig } from '../../../schemas/config/configLoad.ts';
import { removeOutside } from '../../../schemas/embeddedServer/clusterHomes.ts';
import type { DevflowError } from '../../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../../schemas/files/paths.ts';

/** A home directory, and a PATH with only the programs that the test adds. */
export interface Machine {
  home: string;
  env: Env;
  /** Puts a program on PATH: the body of an sh script, which may use built-ins only. */
  has(program: string, script: string): void;
  /** The results of all checks by name. */
  doctor(over?: Partial<DoctorSubject>): Promise<Record<string, CheckResult>>;
}

export function useMachine(): () => Machine {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'devflow-doctor-'));
    // As root the database server runs as another user, who must be able to pass.
    chmodSync(root, 0o711);
    mkdirSync(join(root, 'bin'));
  });
  afterEach(() => {
    removeOutside(resolvePaths(machineIn(root).env).postgresData);
    rmSync(root, { recursive: true, force: true });
  });
  return () => machineIn(root);
}

function machineIn(root: string): Machine {
  const env: Record<string, string> = { DEVFLOW_HOME: join(root, 'home'), PATH: join(root, 'bin') };
  return {
    home: join(root, 'home'),
    env,
    has(program, script) {
      const file = join(root, 'bin', program);
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    },
    async doctor(over = {}) {
      const chosen = over.env ?? env;
      const results = await runDoctor({
        ...configured(chosen),
        paths: resolvePaths(chosen),
        strict: false,
        env: chosen,
        nodeVersion: '22.23.2',
        ...over,
      });
      return Object.fromEntries(results.map((result) => [result.name, result]));
    },
  };
}

function configured(env: Env): Partial<DoctorSubject> {
  try {
    return { config: readConfig(env) };
  } catch (error) {
    return { configError: error as DevflowError };
  }
}
