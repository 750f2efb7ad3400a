import { showPane } from '../attach/show.ts';
import type { Action } from '../io.ts';
import { printJson } from '../output.ts';
import { withDaemon } from '../withDaemon.ts';

interface Options {
  readOnly?: boolean;
  json?: boolean;
}

export const action: Action = async ([target]: [string?], { readOnly = false, json }: Options, io) => {
  const found = await withDaemon(io, (client) => client.call('session.attachTarget', { target }));
  if (!json) return showPane(io, found, { readOnly });
  printJson(io, found);
  return 0;
};
