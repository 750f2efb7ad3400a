import { text } from 'node:stream/consumers';
import { loadDefinitions } from '../../schemas/definitions/definitions.ts';
import { createRegistry } from '../../schemas/definitions/registry.ts';
import { DevflowError, toErrorRecord } from '../../schemas/errors.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { METHODS } from '../../schemas/rpc/methods/index.ts';
import { createValidators } from '../api/definitions/validators.ts';
import { runDoctorStandalone } from '../doctor/standalone.ts';
import { checkPolicy } from '../harness/policy/policy.ts';
import { definitionPlaces, packagePlaces } from './places.ts';
import { tryAgentsStandalone } from './tryAgentsStandalone.ts';

/**
 * Answers one method without a daemon or database: prints `{"result"}` or `{"error"}`. It serves only methods that read
 * files and arguments; the others fail with `daemon_not_running`.
 */
export async function oneshot(method: string, json: string): Promise<0 | 1> {
  try {
    const params = JSON.parse(json === '-' ? await text(process.stdin) : json);
    const declared = METHODS.find((candidate) => candidate.name === method);
    const parsed = declared ? declared.params.parse(params) : params;
    process.stdout.write(`${JSON.stringify({ result: await answer(method, parsed) })}\n`);
    return 0;
  } catch (error) {
    const data = error instanceof DevflowError ? error.data : {};
    process.stdout.write(`${JSON.stringify({ error: { ...toErrorRecord(error), data } })}\n`);
    return 1;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the parameters were parsed by the method's own schema
async function answer(method: string, params: any): Promise<unknown> {
  const paths = resolvePaths(process.env);
  const validators = () => {
    const places = packagePlaces();
    const registry = createRegistry({ builtinDir: places.artifacts, userDir: paths.userArtifacts });
    return createValidators(registry, loadDefinitions(definitionPlaces(registry, places, paths)));
  };
  switch (method) {
    case 'policy.check':
      return checkPolicy(params.argv);
    case 'daemon.doctor':
      return params.agents ? tryAgentsStandalone() : runDoctorStandalone(params);
    case 'template.validate':
      return validators().validateTemplate(params.text);
    case 'persona.validate':
      return validators().validatePersona(params.text);
    case 'artifact.validate':
      return validators().validateArtifact(params.schema, params.text);
    default:
      throw new DevflowError('daemon_not_running', `${method} needs the daemon.`);
  }
}
