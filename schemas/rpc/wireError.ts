import { CATALOGUE, DevflowError, type ErrorCode } from '../errors.ts';
import { RPC_CODES, type RpcErrorObject } from './envelope.ts';

/** The error that the daemon threw, made from the error on the wire. */
export function fromWire(error: RpcErrorObject): DevflowError {
  const facts = isObject(error.data) ? error.data : {};
  if (error.code === RPC_CODES.devflow) {
    const { code, class: _class, hint, runId, phaseId, ...data } = facts;
    if (!isKnown(code)) {
      return new DevflowError('version_mismatch', error.message, { data: { ...data, code } });
    }
    return new DevflowError(code, error.message, {
      runId: text(runId),
      phaseId: text(phaseId),
      recoveryHint: text(hint),
      data,
    });
  }
  const callersFault = error.code === RPC_CODES.invalidParams || error.code === RPC_CODES.methodNotFound;
  return new DevflowError(callersFault ? 'usage' : 'internal', error.message, {
    data: { ...facts, rpcCode: error.code },
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isKnown(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(CATALOGUE, code);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The answer of another host's daemon. An error is an answer too: the host was reached. */
export type HostAnswer = { result: unknown } | { error: RpcErrorObject };

/** Asks the daemon of another host. Rejects with the error of its answer, or with `host_unreachable`. */
export type AskHost = (hostId: string, method: string, params: unknown) => Promise<unknown>;

/** The result of an answer. Throws its error. */
export function resultOf(answer: HostAnswer): unknown {
  if ('error' in answer) throw fromWire(answer.error);
  return answer.result;
}
