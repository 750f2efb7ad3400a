import { readConfig } from '../../schemas/config/configLoad.ts';
import { loadDefinitions } from '../../schemas/definitions/definitions.ts';
import { findDefinition } from '../../schemas/definitions/findDefinition.ts';
import { createRegistry } from '../../schemas/definitions/registry.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import type { ContractFamily } from '../../schemas/rpc/contractFamilies.ts';
import { METHODS, type MethodWithoutDaemon, type ParsedParams } from '../../schemas/rpc/methods/index.ts';
import { createLinters } from '../api/definitions/linters.ts';
import { createPromote } from '../api/definitions/promoter.ts';
import { createPublishPersona } from '../api/definitions/publishPersona.ts';
import { createValidators } from '../api/definitions/validators.ts';
import { createRepositoryMethods } from '../api/repositories/repositoryMethods.ts';
import { publishingAlone } from '../definitions/factory/publishing.ts';
import { definitionPlaces, packagePlaces, userDefinitionPlaces } from '../definitions/places.ts';
import { runDoctorStandalone } from '../doctor/standalone.ts';
import { checkPolicy } from '../policy/policy.ts';
import type { Handler } from '../rpc/handlers.ts';
import type { FindTemplate } from '../settings/consent/templateSubject.ts';
import { createRepositorySettings } from '../settings/repositorySettings.ts';
import { systemClock } from '../system/clock.ts';
import { answerOnce, paramsOnce } from './answerOnce.ts';
import { printAnswer } from './printAnswer.ts';
import { tryAgentsStandalone } from './tryAgentsStandalone.ts';

/** Answers one method that needs no daemon. */
export function oneshot(method: string, json: string): Promise<0 | 1> {
  return printAnswer([method, json], (name, text) =>
    answerOnce(text, async (given) => answer(name, await paramsOnce(process.env, METHODS, name, given))),
  );
}

async function answer(method: string, params: object): Promise<unknown> {
  const handlers = createHandlersAlone();
  if (!Object.hasOwn(handlers, method)) throw new DevflowError('daemon_not_running', `${method} needs the daemon.`);
  // biome-ignore lint/suspicious/noExplicitAny: the parameters were parsed by the method's own schema
  return (handlers as any)[method](params);
}

/** Methods of contracts have a module of their own (`contractsMain.ts`). */
type Alone = Exclude<MethodWithoutDaemon, `${ContractFamily}.${string}`>;

/** Definitions are read only for the methods that need them. */
function createHandlersAlone(): { [N in Alone]: (params: ParsedParams<N>) => ReturnType<Handler<N>> } {
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
  const repositories = ({ host }: { host?: string }) => {
    if (host !== undefined) throw new DevflowError('daemon_not_running', `Host ${host} needs the daemon.`);
    const findTemplate: FindTemplate = async (ref) =>
      findDefinition(loaded().files.templates, ref, 'template').definition;
    const config = readConfig(process.env, paths);
    const settings = createRepositorySettings({
      config,
      paths,
      clock: systemClock,
      searchPath: process.env.PATH ?? '',
      findTemplate,
    });
    return createRepositoryMethods({ settings, paths, config, findTemplate });
  };
  return {
    'repository.show': (params) => repositories(params)['repository.show'](params),
    'repository.check': (params) => repositories(params)['repository.check'](params),
    'repository.allow': (params) => repositories(params)['repository.allow'](params),
    'repository.forbid': (params) => repositories(params)['repository.forbid'](params),
    'policy.check': ({ argv }) => checkPolicy(argv),
    'daemon.doctor': (params) => (params.agents ? tryAgentsStandalone() : runDoctorStandalone(params)),
    'template.rehearse': (params) => validators().rehearseTemplate(params, params.schemas),
    'template.validate': ({ text }) => validators().validateTemplate(text),
    'persona.validate': ({ text }) => validators().validatePersona(text),
    'template.lint': (params) => linters().lintTemplate(params, params.schemas),
    'template.promote': (params) => {
      const { registry, files } = loaded();
      return createPromote({ registry, current: () => files, publishing })(params);
    },
    'persona.publish': (params) => createPublishPersona(linters(), publishing)(params),
    'template.diff': ({ from, to }) => linters().diffTemplates(from, to),
    'persona.lint': (params) => linters().lintPersona(params),
    'artifact.validate': ({ schema, text }) => validators().validateArtifact(schema, text),
  };
}
