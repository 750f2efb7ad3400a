// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of a command
import { expect, test } from 'vitest';
import { addedVariables, expandVariables, worktreeEnvironment } from '../../../schemas/repository/variables.ts';

test.each([
  ['docker compose -p $DEVFLOW_LANE down', 'docker compose -p main down'],
  ['${PORT}0 $PORT', '30000 3000'],
  ['$PORTS $OTHER ${HOME} $ $$ ${', '$PORTS $OTHER ${HOME} $ $$ ${'],
  ['$toString $__proto__', '$toString $__proto__'],
])('%s', (text, expanded) => {
  expect(expandVariables(text, { DEVFLOW_LANE: 'main', PORT: '3000' })).toBe(expanded);
});

test('values name ports, names of the worktree, and each other', () => {
  const env = {
    HOST: 'localhost',
    URL: 'http://$HOST:$PORT/$LATER',
    LATER: 'x',
    PATH: '$DEVFLOW_WORKTREE/.venv/bin:$PATH',
  };
  const variables = worktreeEnvironment(env, { PORT: '3000', DEVFLOW_WORKTREE: '/w' });
  expect(variables).toEqual({
    HOST: 'localhost',
    URL: 'http://localhost:3000/x',
    LATER: 'x',
    PATH: '/w/.venv/bin:$PATH',
    PORT: '3000',
    DEVFLOW_WORKTREE: '/w',
  });
  expect(addedVariables(variables, '/bin')).toMatchObject({
    PATH: '/w/.venv/bin:/bin',
    URL: 'http://localhost:3000/x',
  });
  expect(addedVariables({ PATH: 'a:$PATH' }, undefined)).toEqual({ PATH: 'a:$PATH' });
});
