import { z } from 'zod';
import { Backend } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { DefinitionRef, PathText } from '../views/refs.ts';

const Remembered = z.object({
  roleId: z.string().describe('role, or one instance of it'),
  backend: Backend,
  runId: z.string().describe('the last run of the repository with this role'),
});

export const runLastBackends = defineMethod({
  name: 'run.lastBackends',
  summary:
    "List the backends of a repository's last runs, for the roles that are still open; run.start never applies them",
  params: z.strictObject({
    repo: PathText.describe('directory of the repository'),
    template: DefinitionRef,
    bind: z.record(z.string(), DefinitionRef).default({}).describe('roles with a persona already'),
    backend: z.record(z.string(), Backend).default({}).describe('roles with a backend already'),
    host: z.string().min(1).optional().describe('the host of the directory; absent: the one that is asked'),
  }),
  result: z.object({
    /** Usable now, and different from devflow's own choice. */
    remembered: z.array(Remembered),
    /** Used by the last run, but not usable now. */
    unusable: z.array(Remembered.extend({ reason: z.string() })),
  }),
  answeredBy: { hostOf: 'host', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['repo', 'template'],
  errors: ['repo_invalid', 'template_not_found'],
});
