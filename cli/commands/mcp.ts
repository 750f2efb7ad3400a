import type { Mcp } from '../define/mcp.ts';
import { configFile, printConfig } from '../mcp/printConfig.ts';
import { serveMcp } from '../mcp/server.ts';

export const action: Mcp = async (_params, { printConfig: program }, io) => {
  if (program === undefined) {
    await serveMcp(io);
    return 0;
  }
  io.out(printConfig(program, io.env));
  io.err(`It belongs into ${configFile(program)}.\n`);
  return 0;
};
