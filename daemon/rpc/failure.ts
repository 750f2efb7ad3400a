import { randomUUID } from 'node:crypto';
import { handlerFault } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import {
  RPC_CODES,
  type RpcErrorObject,
  type RpcFailure,
  type RpcId,
  type RpcRequest,
} from '../../schemas/rpc/envelope.ts';

/** The part of a logger that this folder uses. */
export interface RpcLog {
  error(facts: Record<string, unknown>, message: string): void;
}

/** An error of the protocol itself, before any handler ran. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function failure(id: RpcId, error: RpcErrorObject): RpcFailure {
  return { jsonrpc: '2.0', id, error };
}

/** JSON-RPC wants id null wherever the request could not be understood. */
export function invalidRequest(message: string): RpcFailure {
  return failure(null, { code: RPC_CODES.invalidRequest, message: `invalid request: ${message}` });
}

export function isRequest(value: unknown): value is RpcRequest {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, method, params, id } = value as Record<string, unknown>;
  const idFits = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  const paramsFit = params === undefined || (typeof params === 'object' && params !== null);
  return jsonrpc === '2.0' && typeof method === 'string' && idFits && paramsFit;
}

/**
 * Turns a thrown value into a wire error. A foreign error is logged under a reference, and the caller does not get its text.
 * Exceptions are a file that the machine refused, and one that Postgres found damaged: only a person can help there.
 */
export function errorObject(error: unknown, method?: string, log?: RpcLog): RpcErrorObject {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (error instanceof DevflowError) {
    const { code, recoveryHint: hint, runId, phaseId } = error;
    const data = { ...error.data, runId, phaseId, code, class: error.class, hint };
    return { code: RPC_CODES.devflow, message: error.message, data };
  }
  const reference = randomUUID().slice(0, 8);
  log?.error({ err: error, method, reference }, 'a handler failed');
  const fault = handlerFault(error);
  if (fault) {
    const { message, ...facts } = fault;
    return { code: RPC_CODES.devflow, message, data: { reference, ...facts } };
  }
  const message = `internal error (reference ${reference} in the daemon log)`;
  return { code: RPC_CODES.internalError, message, data: { reference } };
}
