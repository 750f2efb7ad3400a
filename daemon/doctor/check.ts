import type { Config } from '../../schemas/config/config.ts';
import type { DevflowError } from '../../schemas/errors.ts';
import type { Env, Paths } from '../../schemas/files/paths.ts';

export interface CheckResult {
  name: string;
  status: 'pass' | 'warn' | 'fail';
  detail: string;
  /** What to do; null when nothing is. */
  remediation: string | null;
}

/** What is looked at. Either the configuration, or why there is none. */
export interface DoctorSubject {
  config?: Config;
  configError?: DevflowError;
  paths: Paths;
  /** Stricter thresholds, whatever the chosen configuration needs (docs/design.md). */
  strict: boolean;
  /** Whose PATH is searched; the process's own when absent. */
  env?: Env;
  nodeVersion?: string;
  /** The person's directory; by default the working directory of the process. */
  cwd?: string;
  /** Where devflow is installed: migrations and docker-compose.yml lie in it. */
  packageDir?: string;
}

/** The subject with everything filled in. */
export type Examined = DoctorSubject & Required<Pick<DoctorSubject, 'env' | 'nodeVersion' | 'packageDir' | 'cwd'>>;

export type Diagnosis = Omit<CheckResult, 'name'>;

/** One thing to look at. It changes nothing, whatever it finds. */
export interface Check {
  name: string;
  run(subject: Examined): Diagnosis | Promise<Diagnosis>;
}

export const pass = (detail: string): Diagnosis => ({ status: 'pass', detail, remediation: null });
export const warn = (detail: string, remediation: string): Diagnosis => ({ status: 'warn', detail, remediation });
export const fail = (detail: string, remediation: string): Diagnosis => ({ status: 'fail', detail, remediation });

/** For checks that need a configuration where there is none: check `config` says what is wrong. */
export const unchecked = (): Diagnosis =>
  warn(
    'not looked at, because the configuration cannot be used',
    'Mend the configuration first: see the check config.',
  );
