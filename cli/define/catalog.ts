import { BACKENDS, EXAMPLE_KINDS } from '../../schemas/names.ts';
import { type Actions, command, plainCommand } from './command.ts';
import { argument, byDefault, flag, GRAPH, oneOf, own, repeated, required, text } from './entry.ts';
import { RUN } from './run.ts';

const DRAFT_HELP = `
devflow reads the repository's own commands, an agent writes the template, and
devflow walks its paths and plays it with fake agents. You approve twice. Then
the template is among your own, never in the repository.`;

const REHEARSE_HELP = `
Exit code 0: every path ends or waits for a person, every phase is reached, and
no path goes around a gate; with --repo the run completed, and its commands
passed. 1: something was found. It starts no agent and changes nothing.`;

const PUBLISH_HELP = `
Exit code 0: the file is among your templates, and its origin beside it. 1: lint
or the walk found something, and nothing was written. 5: the version is taken.`;

const { repo, base, bind, backend, parallel, wait, dryRun } = RUN.start.entries;
const file = own(argument('<file>'));
const strict = own(flag('exit code 1 for warnings, too'));
const newEntries = {
  name: argument('<name>'),
  out: text('<file>', 'where to write it, - for standard output (default: your drafts)'),
};

export const TEMPLATE = {
  list: command('template.list', 'list templates'),
  show: command('template.get', 'show a template', {
    template: argument('<template>'),
    graph: own(flag('draw the phases with their gates and loops')),
    ...GRAPH,
  }),
  draft: command(
    'run.start',
    'begin a template for a repository',
    {
      wish: own(text('<file>', 'text file that says what the template is for; - for standard input')),
      message: own(
        repeated('<text>', 'the wish; repeatable, one paragraph each (default: your editor)', { short: 'm' }),
      ),
      repo,
      base,
      bind,
      backend,
      parallel,
      wait,
      dryRun,
    },
    { help: DRAFT_HELP },
  ),
  rehearse: command(
    'template.rehearse',
    'walk all paths of a template',
    {
      given: own(argument('<template-or-file>')),
      repo: own(text('<dir>', 'play a run with fake agents too, in a copy of this repository')),
      commit: own(text('<commit>', 'the commit that the run begins at (default: HEAD)')),
      objective: own(text('<file>', 'JSON file with an objective, for a template that works towards one; with --repo')),
      settings: own(text('<file>', 'settings for the copy of the repository, which gets no others; with --repo')),
      artifacts: own(
        text('<dir>', 'artifact schemas that come with the template (default: artifacts beside the file)'),
      ),
    },
    { help: REHEARSE_HELP },
  ),
  publish: command(
    'template.promote',
    'publish a draft among your own templates, after lint and a walk',
    {
      given: own(argument('<template-or-file>')),
      artifacts: own(
        text(
          '<dir>',
          'artifact schemas that come with it, with fixtures/<schema>/{ok,invalid}.json (default: artifacts beside the file)',
        ),
      ),
    },
    { help: PUBLISH_HELP, alias: 'promote' },
  ),
  validate: command(
    'template.validate',
    'check whether the daemon would load a template file',
    { file },
    { help: '\ndevflow template lint says more: what may go wrong in a run.' },
  ),
  lint: command('template.lint', 'check templates by all rules (docs/lint.md); exit code 1: errors', {
    given: own(argument('<template-or-file...>')),
    strict,
  }),
  diff: command('template.diff', 'compare two templates by what they mean; exit code 1: they differ', {
    old: own(argument('<old-template>')),
    next: own(argument('<new-template>')),
  }),
  new: plainCommand('begin a draft with a commented example', {
    name: newEntries.name,
    kind: byDefault(oneOf(text('<kind>', 'what it shows'), EXAMPLE_KINDS), 'quick'),
    out: newEntries.out,
  }),
};
export type Template = Actions<typeof TEMPLATE>;

export const PERSONA = {
  list: command('persona.list', 'list personas'),
  show: command('persona.get', 'show a persona', { persona: argument('<persona>') }),
  validate: command(
    'persona.validate',
    'check whether the daemon would load a persona file',
    { file },
    { help: '\ndevflow persona lint says more: what may go wrong in a run.' },
  ),
  lint: command('persona.lint', 'check personas by all rules (docs/lint.md); exit code 1: errors', {
    given: own(argument('<persona-or-file...>')),
    strict,
  }),
  publish: command('persona.publish', 'publish a draft among your own personas, after lint', {
    given: own(argument('<persona-or-file>')),
  }),
  new: plainCommand('begin a draft with a commented example', {
    name: newEntries.name,
    backend: byDefault(oneOf(text('<backend>', 'the agent program'), BACKENDS), 'claude'),
    out: newEntries.out,
  }),
};
export type Persona = Actions<typeof PERSONA>;

export const ARTIFACT = {
  validate: command('artifact.validate', 'check a file against a schema', { schema: argument('<schema>'), file }),
  list: command('artifact.list', 'list the artifacts of a run', { runId: required(text('<run>', 'the run')) }),
};
export type Artifact = Actions<typeof ARTIFACT>;

export const POLICY = {
  check: command(
    'policy.check',
    'check whether devflow would run a command; exit code 0: yes, 1: no',
    { argv: argument('<argv...>') },
    {
      passesThrough: true,
      help: "\nA single word with spaces or shell characters, such as 'rm -rf /', is\nchecked as sh -c '…'.",
    },
  ),
};
export type Policy = Actions<typeof POLICY>;
