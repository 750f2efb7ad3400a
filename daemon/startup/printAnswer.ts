import { text } from 'node:stream/consumers';

/** Answers one call with JSON: `{"result"}` or `{"error"}`. */
export type Answer = (method: string, json: string) => Promise<string>;

/** Prints the answer to one call, whose parameters may be `-` for standard input. Returns the exit code. */
export async function printAnswer([method = '', json = '{}']: readonly string[], answer: Answer): Promise<0 | 1> {
  const line = await answer(method, json === '-' ? await text(process.stdin) : json);
  process.stdout.write(`${line}\n`);
  return line.startsWith('{"error"') ? 1 : 0;
}
