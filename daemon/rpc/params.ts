import type { z } from 'zod';
import type { Method } from '../../schemas/rpc/contract.ts';
import { RPC_CODES, type RpcRequest } from '../../schemas/rpc/envelope.ts';
import { ProtocolError } from './failure.ts';

/** Checks parameters, by name or by position, and fills in defaults. Throws -32602 that names each fault. */
export function parseParams(method: Method, given: RpcRequest['params']): Record<string, unknown> {
  const parsed = method.params.safeParse(Array.isArray(given) ? byName(method, given) : (given ?? {}));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: messageOf(issue) }));
  const sentence = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw new ProtocolError(RPC_CODES.invalidParams, `invalid params of ${method.name}: ${sentence}`, { issues });
}

/** In an array, null means "not given". */
function byName(method: Method, values: unknown[]): Record<string, unknown> {
  const names = Object.keys(method.params.shape);
  if (values.length > names.length) {
    const message = `invalid params of ${method.name}: too many by position (${names.join(', ') || 'none'})`;
    throw new ProtocolError(RPC_CODES.invalidParams, message);
  }
  const entries = values.map((value, index) => [names[index], value] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.endsWith('received undefined')) {
    return `is missing (${issue.expected})`;
  }
  return issue.message;
}
