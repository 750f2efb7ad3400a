import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TMUX_NEEDED, TMUX_RECOMMENDED } from '../../daemon/doctor/checks/programs.ts';
import { packageRoot } from '../../schemas/files/paths.ts';

const [needed, recommended] = [TMUX_NEEDED.join('.'), TMUX_RECOMMENDED.join('.')];
const read = (...path: string[]) => readFileSync(join(packageRoot(), ...path), 'utf8');

it('the plugin, the README and docs/tmux.md name the tmux that the doctor needs', () => {
  const plugin = read('tmux', 'plugin', 'fit.sh');
  expect(plugin).toContain(`-eq ${TMUX_NEEDED[0]} ] && [ "\${minor:-0}" -ge ${TMUX_NEEDED[1]} ]`);
  expect(plugin).toContain(`needs ${needed}, and ${recommended} is recommended`);
  for (const page of ['README.md', 'docs/tmux.md']) {
    const named = [...read(page).matchAll(/(\d\.\d)\w? or later; (\d\.\d) is recommended/g)];
    expect(named.map(([, least, better]) => [least, better])).toEqual([[needed, recommended]]);
  }
});
