import { ANY_PROGRAM, BACKEND_FACTS } from '../../backends/backendFacts.ts';
import type { Backend } from '../../enums.ts';

/** A commented persona that lint has nothing to say about. */
export function examplePersona(name: string, backend: Backend, version = 1): string {
  const model =
    BACKEND_FACTS[backend].modelConfig.length === 0
      ? ''
      : `# The model, as the program of the backend names it. Without it, the program chooses.
# modelConfig: { model: some-model }
`;
  return `# Check it: devflow persona lint ${name}. A published version never changes: a change is a new version in a new file.
name: ${name}
version: ${version}
# The agent program: ${ANY_PROGRAM}.
backend: ${backend}
# What it can do. A role gets a persona that has all capabilities that the role requires.
capabilities: [code_edit, test_first_development, command_execute]
# The highest risk of a phase that it may work in. With low it only reads.
maxRiskLevel: high
# Only these roles. Without the list, any role.
# allowedRoles: [implementer]
${model}promptConfig:
  systemPrompt: |
    You are an experienced software engineer. You keep each change small, test it, and report honestly what you ran.
  instructionsPrelude: |
    Write the artifact last, at exactly the path that the prompt names, as plain JSON.
`;
}
