import { describe, expect, it } from 'vitest';
import { DevflowError } from '../../../schemas/errors.ts';
import { type CommandContext, runCommand } from '../../../tui/effects/runCommand.ts';
import type { TuiEvent } from '../../../tui/model/event.ts';
import { type StartCommand, step } from '../../../tui/model/model.ts';
import { fakeClient, givenModel } from '../given.ts';

const start = (requirements: string): StartCommand => ({
  type: 'start',
  params: { repo: '/r', template: 'quick@1', requirements, bind: {}, backend: {} },
  doing: 'starting',
  then: (model) => step(model),
});

/** The tokens of starts that were answered so, one after the other. */
async function tokensOf(commands: readonly StartCommand[], answers: readonly (string | undefined)[]) {
  const left = [...answers];
  const client = fakeClient(() => {
    const code = left.shift();
    if (code !== undefined) throw new DevflowError(code as 'daemon_not_running', 'no');
    return { runId: 'r1' };
  });
  const sent: TuiEvent[] = [];
  const world = {
    client,
    unanswered: new Map(),
    send: (event: TuiEvent) => sent.push(event),
  } as unknown as CommandContext;
  for (const command of commands) await runCommand(command, world);
  const tokens = client.asked.map(({ params }) => (params as { clientToken: string }).clientToken);
  return { tokens, sent };
}

describe('the start of a run', () => {
  it('reuses its token if it was not answered, so that nothing starts twice', async () => {
    const again = [start('a'), start('a'), start('a')];
    const { tokens } = await tokensOf(again, ['daemon_not_running', undefined, undefined]);
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  it('gets a new token for another run, or after a refusal', async () => {
    const { tokens } = await tokensOf([start('a'), start('b'), start('b')], ['daemon_not_running', 'repo_invalid']);
    expect(new Set(tokens).size).toBe(3);
  });

  it('shows its error if the screen does not', async () => {
    const { sent } = await tokensOf([start('a')], ['repo_invalid']);
    const last = sent.at(-1);
    const after = last?.type === 'commandEnded' ? last.then(givenModel()) : undefined;
    expect(after?.model.toasts[0]).toMatchObject({ tone: 'bad', text: expect.stringContaining('No.') });
  });
});
