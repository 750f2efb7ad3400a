import type { ErrorClass, ErrorCode } from '../errors.ts';

/** JSON-RPC 2.0 as it stands on the wire. Ids are echoed, never interpreted. */
export type RpcId = string | number | null;

export interface RpcRequest {
  jsonrpc: '2.0';
  method: string;
  params?: unknown[] | Record<string, unknown>;
  /** Absent in a notification. */
  id?: RpcId;
}

export interface RpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: unknown[] | Record<string, unknown>;
}

/** `data` of an error of ours (-32000), with the facts of the error beside these. */
export interface RpcErrorData extends Record<string, unknown> {
  code: ErrorCode;
  class: ErrorClass;
  hint: string;
}

export interface RpcErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

export interface RpcSuccess {
  jsonrpc: '2.0';
  id: RpcId;
  result: unknown;
}

export interface RpcFailure {
  jsonrpc: '2.0';
  id: RpcId;
  error: RpcErrorObject;
}

export type RpcResponse = RpcSuccess | RpcFailure;

export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Any error of ours; `data.code` says which. */
  devflow: -32000,
} as const;

/** The JSON-RPC method of every notification the daemon sends. */
export const EVENTS_METHOD = 'events';
