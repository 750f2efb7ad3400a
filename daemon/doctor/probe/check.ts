import type { Config } from '../../../schemas/config/config.ts';
import type { DevflowError } from '../../../schemas/errors.ts';
import type { Env, Paths } from '../../../schemas/files/paths.ts';

export interface CheckResult {
  name: string;
  status: 'pass' | 'warn' | 'fail';
  detail: string;
  /** The next step for a person; null if there is none. */
  remediation: string | null;
}

/** The machine to check: its configuration, or why there is none. */
export interface DoctorSubject {
  config?: Config;
  configError?: DevflowError;
  paths: Paths;
  /** Stricter thresholds, whatever the chosen configuration needs (docs/design.md). */
  strict: boolean;
  /** Its PATH is searched. Default: the environment of this process. */
  env?: Env;
  nodeVersion?: string;
  /** The person's directory. Default: the working directory of this process. */
  cwd?: string;
  /** Where devflow is installed, with its migrations and docker-compose.yml. */
  packageDir?: string;
}

/** The subject with all defaults filled in. */
export type Examined = DoctorSubject & Required<Pick<DoctorSubject, 'env' | 'nodeVersion' | 'packageDir' | 'cwd'>>;

export type Diagnosis = Omit<CheckResult, 'name'>;

/** One thing to check. It changes nothing. */
export interface Check {
  name: string;
  run(subject: Examined): Diagnosis | Promise<Diagnosis>;
}

export const pass = (detail: string): Diagnosis => ({ status: 'pass', detail, remediation: null });
export const warn = (detail: string, remediation: string): Diagnosis => ({ status: 'warn', detail, remediation });
export const fail = (detail: string, remediation: string): Diagnosis => ({ status: 'fail', detail, remediation });

/** For checks that need the configuration if there is none. The check `config` says what is wrong with it. */
export const unchecked = (): Diagnosis =>
  warn('not checked: the configuration is not valid', 'Fix the configuration first: see the check config.');
