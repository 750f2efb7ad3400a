import { openRpcDocument } from '../../../schemas/rpc/openrpc.ts';
import type { Handler } from '../ports.ts';

export const rpcDiscover: Handler<'rpc.discover'> = (_params, { daemon }) => openRpcDocument(daemon.version);
