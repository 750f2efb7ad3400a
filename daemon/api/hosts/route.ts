import { DevflowError, type ErrorCode } from '../../../schemas/errors.ts';
import type { AnsweredBy, Method } from '../../../schemas/rpc/contract.ts';
import { METHODS, type MethodName, type RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { AskHost } from '../../../schemas/rpc/wireError.ts';
import { type Here, hostOf } from '../../core/run/place.ts';
import type { Handlers } from '../../rpc/handlers.ts';
import type { HostRow } from '../../store/hosts.ts';
import type { Lists } from '../../store/lists.ts';
import type { Ids } from '../lookup/ids.ts';
import { hostUnreachable } from './hostSentence.ts';

/** The other hosts, as the daemon knows them, and the way to ask them. */
export interface HostPorts {
  here: Here;
  askHost: AskHost;
  listHosts(): Promise<HostRow[]>;
  /** The recorded host; undefined if there is no such run. */
  readHostOfRun(runId: string): Promise<string | null | undefined>;
  readHostOfSchedule(scheduleId: string): Promise<string | null | undefined>;
}

/** Answers a method on the host that it is about: with `answer` if that is this host. */
export type Route = <N extends MethodName>(
  name: N,
  params: object,
  answer: () => RpcResult<N> | Promise<RpcResult<N>>,
) => RpcResult<N> | Promise<RpcResult<N>>;

type Routed = Pick<Method, 'name' | 'result'> & { answeredBy: AnsweredBy };

/** The methods that a certain host answers. */
const ROUTED: ReadonlyMap<string, Routed> = new Map(
  METHODS.flatMap(({ name, result, answeredBy }) =>
    answeredBy ? [[name, { name, result, answeredBy }] as const] : [],
  ),
);

/** The one place where a method goes to another host. Which methods do is a property of their declaration. */
export function createRoute(hosts: HostPorts, { ids, runOf }: { ids: Ids; runOf: Lists['runOf'] }): Route {
  const { here, askHost, listHosts, readHostOfRun, readHostOfSchedule } = hosts;

  async function hostNamed(of: AnsweredBy['hostOf'], ref: string): Promise<string> {
    if (of === 'host') return ref;
    const host =
      of === 'scheduleId'
        ? await readHostOfSchedule(await ids.schedule(ref))
        : await readHostOfRun(await runNamed(of, ref));
    return hostOf({ host: host ?? null }, here);
  }

  async function runNamed(of: Exclude<AnsweredBy['hostOf'], 'host' | 'scheduleId'>, ref: string): Promise<string> {
    switch (of) {
      case 'runId':
        return ids.run(ref);
      case 'approvalId':
        return (await ids.approval(ref)).runId;
      case 'artifactId':
        return runOf('artifact', await ids.artifact(ref));
      case 'sessionId':
        return runOf('session', await ids.session(ref));
      default:
        return of satisfies never;
    }
  }

  async function ask(
    host: string,
    { name, result: expected, answeredBy: by }: Routed,
    params: object,
  ): Promise<unknown> {
    const known = (await listHosts()).find(({ id }) => id === host);
    if (!known) throw noSuchHost(host, by.hostOf);
    // Otherwise the daemon that forwards the question would wait for the host to come back.
    if (known.state !== 'ready') throw hostUnreachable(known);
    const result = await askHost(host, name, params);
    // Other handlers made it, perhaps those of another version.
    if (expected.safeParse(result).success) return result;
    throw new DevflowError(
      'version_mismatch',
      `Host ${host} answered ${name} in a form that this devflow does not know.`,
      {
        recoveryHint: 'Install the same devflow on all hosts. See devflow host list.',
        data: { host, version: known.version },
      },
    );
  }

  return async <N extends MethodName>(
    name: N,
    params: object,
    answer: () => RpcResult<N> | Promise<RpcResult<N>>,
  ): Promise<RpcResult<N>> => {
    const method = ROUTED.get(name);
    const by = method?.answeredBy;
    const ref = by && (params as Record<string, unknown>)[by.hostOf];
    if (!method || !by || typeof ref !== 'string') return answer();
    const host = await hostNamed(by.hostOf, ref);
    if (host === here.id) return answer();
    if (by.elsewhere === 'refuse') {
      throw new DevflowError('run_elsewhere', `${name} needs the disk of host ${host}, and this is ${here.id}.`, {
        data: { host },
      });
    }
    try {
      return (await ask(host, method, params)) as RpcResult<N>;
    } catch (error) {
      const isGone = isCode(error, 'host_unreachable') || isCode(error, 'temporal_unreachable');
      if (!isGone || by.elsewhere !== 'askOrAnswer') throw error;
      return answerAlone(answer, error);
    }
  };
}

/** A person named it, or it was forgotten since it got the run. */
function noSuchHost(host: string, of: AnsweredBy['hostOf']): DevflowError {
  if (of === 'host')
    return new DevflowError('not_found', `There is no host ${host}.`, { recoveryHint: 'See devflow host list.' });
  const message = `Host ${host} was forgotten (devflow host forget). What it had is on its disk only.`;
  return new DevflowError('host_unreachable', message, { data: { host } });
}

/** Answers here. If this daemon cannot, it throws the reason why the other host could not be asked. */
async function answerAlone<R>(answer: () => R | Promise<R>, asked: unknown): Promise<R> {
  try {
    return await answer();
  } catch (error) {
    throw isCode(error, 'host_unreachable') ? asked : error;
  }
}

function isCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof DevflowError && error.code === code;
}

/** The handlers, each on the host that its method is about. */
export function atTheirHosts(handlers: Handlers, route: Route): Handlers {
  const routed = [...ROUTED.keys()].map((name) => {
    const handle = handlers[name as MethodName] as (params: object, call: unknown) => never;
    return [name, (params: object, call: unknown) => route(name as MethodName, params, () => handle(params, call))];
  });
  return { ...handlers, ...Object.fromEntries(routed) };
}

/** For a daemon that works alone: it answers everything, and knows no other host. Looks nothing up. */
export function routeAlone(here: Here): Route {
  return (_name, params, answer) => {
    const { host = here.id } = params as { host?: string };
    if (host === here.id) return answer();
    throw new DevflowError(
      'not_found',
      `There is no host ${host}: devflow works on ${here.id} alone (engine: local).`,
      {
        recoveryHint: 'Several hosts need engine: temporal.',
      },
    );
  };
}
