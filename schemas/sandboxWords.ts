import type { Sandbox } from './sandbox.ts';

/** `agents (bubblewrap 0.8.0; network off)`. */
export function sandboxWords({ level, by, network, read = [], write = [], open = [] }: Sandbox): string {
  const more = [
    by,
    ...(network === 'off' ? ['network off'] : []),
    ...(read.length > 0 ? [`also reads ${read.join(', ')}`] : []),
    ...(write.length > 0 ? [`also writes ${write.join(', ')}`] : []),
    ...(open.length > 0 ? [`open: ${open.join(', ')}`] : []),
  ];
  return `${level} (${more.join('; ')})`;
}
