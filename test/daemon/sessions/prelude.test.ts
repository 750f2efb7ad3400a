import { expect, test } from 'vitest';
import { renderPrelude } from '../../../daemon/sessions/prelude.ts';
import { Backend } from '../../../schemas/enums.ts';

test.each(Backend.options)('the prelude for %s has the five parts and the prohibitions, in order', (backend) => {
  const promptConfig = { instructionsPrelude: 'Prefer small commits.\n' };
  const prelude = renderPrelude({ roleId: 'planner', backend, personaName: 'p', promptConfig });
  const parts = [
    /^You are .*role planner\./,
    /Prefer small commits\.\n\n/,
    /only by writing its expected artifact file/,
  ];
  const rest = [/DEVFLOW_PROMPT_BEGIN <uuid>/, /a person decides about approvals/, /git reset --hard/];
  const places = [...parts, ...rest].map((part) => prelude.search(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('only Claude has a question tool that a person answers', () => {
  const asks = Backend.options.filter((backend) =>
    renderPrelude({ roleId: 'planner', backend, personaName: 'p', promptConfig: {} }).includes('AskUserQuestion'),
  );
  expect(asks).toEqual(['claude']);
});
