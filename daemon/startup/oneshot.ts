import { loadDefinitions } from '../../schemas/definitions/definitions.ts';
import { createRegistry } from '../../schemas/definitions/registry.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { METHODS } from '../../schemas/rpc/methods/index.ts';
import { createLinters } from '../api/definitions/linters.ts';
import { createPromote } from '../api/definitions/promoter.ts';
import { createPublishPersona } from '../api/definitions/publishPersona.ts';
import { createValidators } from '../api/definitions/validators.ts';
import { publishingAlone } from '../definitions/factory/publishing.ts';
import { runDoctorStandalone } from '../doctor/standalone.ts';
import { checkPolicy } from '../policy/policy.ts';
import { answerOnce, paramsOnce } from './answerOnce.ts';
import { definitionPlaces, packagePlaces, userDefinitionPlaces } from './places.ts';
import { printAnswer } from './printAnswer.ts';
import { tryAgentsStandalone } from './tryAgentsStandalone.ts';

/** Answers one method without a daemon or database. It serves only methods that read files and arguments. */
export function oneshot(method: string, json: string): Promise<0 | 1> {
  return printAnswer([method, json], (name, text) =>
    answerOnce(text, async (given) => answer(name, await paramsOnce(process.env, METHODS, name, given))),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the parameters were parsed by the method's own schema
async function answer(method: string, params: any): Promise<unknown> {
  const paths = resolvePaths(process.env);
  const loaded = () => {
    const places = packagePlaces();
    const registry = createRegistry({ builtinDir: places.artifacts, userDir: paths.userArtifacts });
    return { registry, files: loadDefinitions(definitionPlaces(registry, places, paths)) };
  };
  const publishing = publishingAlone(userDefinitionPlaces(paths));
  const validators = () => {
    const { registry, files } = loaded();
    return createValidators(registry, () => files);
  };
  const linters = () => {
    const { registry, files } = loaded();
    return createLinters(registry, () => files);
  };
  switch (method) {
    case 'policy.check':
      return checkPolicy(params.argv);
    case 'daemon.doctor':
      return params.agents ? tryAgentsStandalone() : runDoctorStandalone(params);
    case 'template.rehearse':
      return validators().rehearseTemplate(params, params.schemas);
    case 'template.validate':
      return validators().validateTemplate(params.text);
    case 'persona.validate':
      return validators().validatePersona(params.text);
    case 'template.lint':
      return linters().lintTemplate(params, params.schemas);
    case 'template.promote': {
      const { registry, files } = loaded();
      return createPromote({ registry, current: () => files, publishing })(params);
    }
    case 'persona.publish':
      return createPublishPersona(linters(), publishing)(params);
    case 'template.diff':
      return linters().diffTemplates(params.from, params.to);
    case 'persona.lint':
      return linters().lintPersona(params);
    case 'artifact.validate':
      return validators().validateArtifact(params.schema, params.text);
    default:
      throw new DevflowError('daemon_not_running', `${method} needs the daemon.`);
  }
}
