import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { manyPhases } from '../daemon/core/rehearse/manyPhases.ts';
import { type Bench, createSheet } from './figure.ts';
import { CLI, ROOT, runProgram, withPlace } from './place.ts';

/** How long authors of templates wait, without a daemon. */
export const rehearse: Bench = {
  name: 'rehearse',
  title: 'Lint and walk of a template',
  reading:
    'A template of 24 phases, 18 of agents and six of commands with a gate, and the largest built-in ones. No daemon runs. ' +
    '`devflow template lint` and `devflow template rehearse` are measured from before their start until their end.',
  run: ({ rounds = 5 }) =>
    withPlace(async ({ home, env }) => {
      const many = join(home, 'many@1.yaml');
      writeFileSync(many, stringify(manyPhases()));
      const builtIn = (name: string) => join(ROOT, 'schemas', 'templates', `${name}.yaml`);
      const programs: Record<string, readonly string[]> = {
        'lint, 24 phases': ['lint', many],
        'walk, 24 phases': ['rehearse', many],
        'walk, development@2': ['rehearse', builtIn('development@2')],
        'walk, backtest-strategy@1': ['rehearse', builtIn('backtest-strategy@1')],
      };
      const sheet = createSheet();
      for (let round = -1; round < rounds; round += 1) {
        for (const [name, args] of Object.entries(programs)) {
          const { ms } = await runProgram([CLI, 'template', ...args], env);
          if (round >= 0) sheet.add(name, ms);
        }
      }
      return Object.keys(programs).map((name) => ({
        name,
        unit: 'ms' as const,
        rounds: sheet.of(name),
        ...(name === 'walk, 24 phases' ? { aim: { below: 2000 } } : {}),
      }));
    }),
};
