import { expect, it } from 'vitest';
import { helpTexts } from '../../build/helpTexts.ts';
import { runCli } from '../../cli/commandLine.ts';
import { fakeIo } from '../cli/fakeIo.ts';

it('prints from the built texts what each command prints itself', async () => {
  const texts = helpTexts();
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(['', 'doctor', 'run', 'run start', 'policy check']));
  for (const [command, text] of Object.entries(texts)) {
    const io = fakeIo();
    expect(await runCli([...command.split(' ').filter(Boolean), '--help'], io)).toBe(0);
    expect({ command, text }).toEqual({ command, text: io.written.out });
  }
});

it('has the paragraphs after the options', () => {
  const texts = helpTexts();
  expect(texts.doctor).toContain('--agents starts each installed and enabled agent');
  expect(texts['policy check']).toContain("A single word with spaces or shell characters, such as 'rm -rf /'");
});
