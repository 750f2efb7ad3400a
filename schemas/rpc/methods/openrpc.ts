import { z } from 'zod';
import { CATALOGUE } from '../../errors.ts';
import { describeCaller } from '../caller.ts';
import type { Method } from '../contract.ts';
import { EVENTS_METHOD, RPC_CODES } from '../envelope.ts';
import { NOTIFICATIONS } from '../notifications.ts';
import { METHODS } from './index.ts';

type JsonObject = Record<string, unknown>;

/** The OpenRPC 1.x document of all methods. OpenRPC has no notifications, so they stand under `x-notifications`. */
export function openRpcDocument(version: string): JsonObject {
  return {
    openrpc: '1.3.2',
    info: { title: 'devflow', version, description: 'JSON-RPC 2.0, one message a line, on a Unix socket.' },
    methods: METHODS.map(describeMethod),
    'x-notifications': Object.entries(NOTIFICATIONS).map(([event, data]) => ({
      method: EVENTS_METHOD,
      event,
      data: z.toJSONSchema(data),
    })),
  };
}

function describeMethod(method: Method): JsonObject {
  const params = z.toJSONSchema(method.params, { io: 'input' });
  const required = new Set(params.required ?? []);
  return {
    name: method.name,
    summary: method.summary,
    'x-caller': describeCaller(method),
    paramStructure: 'either',
    params: Object.entries(params.properties ?? {}).map(([name, schema]) => ({
      name,
      required: required.has(name),
      schema,
    })),
    result: { name: 'result', schema: z.toJSONSchema(method.result) },
    errors: method.errors.map((code) => ({
      code: RPC_CODES.devflow,
      message: code,
      data: { code, class: CATALOGUE[code].class, hint: CATALOGUE[code].hint },
    })),
  };
}
