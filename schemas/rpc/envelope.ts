/** JSON-RPC 2.0 on the wire. The daemon echoes ids and never interprets them. */
export type RpcId = string | number | null;

export interface RpcRequest {
  jsonrpc: '2.0';
  method: string;
  params?: unknown[] | Record<string, unknown>;
  /** Absent in a notification. */
  id?: RpcId;
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
  /** Any devflow error; `data.code` says which. */
  devflow: -32000,
} as const;

/** The JSON-RPC method of every notification the daemon sends. */
export const EVENTS_METHOD = 'events';
