/** An MCP server with one tool, `ping`. It leaves a file that says from where it runs and which variables it has. */
export function serverText(ran: string): string {
  return `const { appendFileSync } = require('node:fs');
const { createInterface } = require('node:readline');
const note = (line) => appendFileSync(${JSON.stringify(ran)} + '-' + process.argv[2], line + '\\n');
note('started ' + __filename + ' ' + (process.env.GIVEN ?? 'nothing'));
const tool = { name: 'ping', description: 'Answers', inputSchema: { type: 'object', properties: {} } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => (note('called'), { content: [{ type: 'text', text: 'pong' }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params ?? {}) ?? {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;
}
