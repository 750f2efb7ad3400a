import { linesOf } from '../candidate/lines.ts';
import type { Candidate, Reader } from '../candidate/reader.ts';
import { scriptCommands } from '../candidate/scriptCommands.ts';

const MOST_BLOCKS = 100;
const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([\w-]*)/;
/** Below a first prompt, `>` continues a command. */
const PROMPTS = [/^\s*[$%] /, /^\s*[>❯] /];
const SHELLS = new Set(['sh', 'bash', 'shell', 'console', 'zsh', 'terminal', 'shell-session', 'shellsession']);

/** Commands in the documents of the root. These are hints: nobody checks that they are still true. */
export const documents: Reader = {
  reads: (path) => /^(?:\.github\/)?(?:(?:README|CONTRIBUTING)[^/]*|AGENTS\.md|CLAUDE\.md)$/i.test(path),
  read: ({ path, text, paths, kindOf }) => {
    const lines = linesOf(text);
    const candidates: Candidate[] = [];
    for (const { from, script } of shellBlocks(lines).slice(0, MOST_BLOCKS)) {
      const place = { path, lines, line: from, cwd: '.', source: 'doc' as const, isHint: true, paths, kindOf };
      candidates.push(...scriptCommands(script, place).candidates);
    }
    return { candidates };
  },
};

function shellBlocks(lines: readonly string[]): { from: number; script: string }[] {
  const blocks: { from: number; script: string }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, fence = '', language = ''] = FENCE.exec(lines[at] ?? '') ?? [];
    if (fence === '') continue;
    const begin = at + 1;
    for (at += 1; at < lines.length && !lines[at]?.trim().startsWith(fence); at++);
    if (SHELLS.has(language.toLowerCase())) blocks.push({ from: begin + 1, script: scriptOf(lines.slice(begin, at)) });
  }
  return blocks;
}

/** In a block with prompts, lines without one are output. */
function scriptOf(lines: readonly string[]): string {
  const prompt = PROMPTS.find((each) => lines.some((line) => each.test(line)));
  const commands = prompt ? lines.map((line) => (prompt.test(line) ? line.replace(prompt, '') : '')) : lines;
  return commands.join('\n');
}
