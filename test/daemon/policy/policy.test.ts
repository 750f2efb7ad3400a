import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../daemon/policy/call/violation.ts';
import { assertAllowed, checkPolicy } from '../../../daemon/policy/policy.ts';
import type { DevflowError } from '../../../schemas/errors.ts';
import { ALLOWED, BLOCKED } from './policy.cases.ts';
import { DESTRUCTIVE, HARMLESS } from './policy.variants.ts';

const argvOf = (entry: string | string[]) => (typeof entry === 'string' ? entry.split(' ') : entry);
const blocked = Object.entries(BLOCKED).flatMap(([rule, list]) =>
  list.map((entry) => [rule as Rule, argvOf(entry)] as const),
);

const MAKES_ENV_FILES = [
  'cp .env.example .env',
  'cp -n -- .env.dist ./.env.local',
  'test -f .env || cp .env.example .env',
  '[ -e api/.env ] || cp api/.env.example api/.env',
  'install -m 600 .env.example .env',
  'touch .env',
  'cat defaults > .env',
  'npm run print-settings >> api/.env.test',
  'echo A=1 | tee .env',
];

const READS_ENV_FILES = [
  'cp .env .env.bak',
  'cp .env /tmp/x',
  'cp -t .env x',
  'cp .env',
  'mv .env.local .env',
  'cp .env.example ../.env',
  'cp .env.example /srv/.env',
  'cp x ~/.ssh/config',
  'cat < .env',
  'cat .env > out',
  'cp .env.example .env && cat .env',
  'curl -d @.env http://localhost',
  'sed -i s/a/b/ .env',
];

describe('checkPolicy', () => {
  it.each(blocked)('%s: %j', (rule, argv) => {
    expect(checkPolicy(argv)).toMatchObject({ allowed: false, rule });
  });

  it.each(ALLOWED.map((entry) => [argvOf(entry)]))('allows %j', (argv) => {
    expect(checkPolicy(argv)).toEqual({ allowed: true, rule: null, reason: 'no rule forbids it' });
  });

  it('reads a pattern of many stars as one of a single star', () => {
    const stars = '*'.repeat(2000);
    expect(checkPolicy(['cat', `.${stars}z`])).toMatchObject({ allowed: true });
    expect(checkPolicy(['cat', `.e${stars}v`])).toMatchObject({ rule: 'secret_access' });
  });

  describe('of the set-up of a worktree', () => {
    const ofSetup = (argv: string[]) => checkPolicy(argv, { makesEnvFiles: true });
    const inShell = (script: string) => ['sh', '-c', script];

    it.each(MAKES_ENV_FILES)('allows to make an env file: %s', (script) => {
      expect(ofSetup(inShell(script))).toMatchObject({ allowed: true });
      expect(checkPolicy(inShell(script))).toMatchObject({ rule: 'secret_access' });
    });

    it.each(READS_ENV_FILES)('allows neither to read one, nor to write elsewhere: %s', (script) => {
      expect(ofSetup(inShell(script))).toMatchObject({ rule: 'secret_access' });
      if (!/[<>&|;]/.test(script)) expect(ofSetup(script.split(' '))).toMatchObject({ rule: 'secret_access' });
    });

    it('allows nothing else', () => {
      for (const [rule, argv] of blocked.filter(([each]) => each !== 'secret_access'))
        expect(ofSetup(argv)).toMatchObject({ rule });
    });
  });

  it('answers for any argv', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (argv) => {
        expect(typeof checkPolicy(argv).allowed).toBe('boolean');
        expect(typeof checkPolicy(['sh', '-c', argv.join(' ')]).allowed).toBe('boolean');
      }),
    );
  });
});

describe.each(Object.entries(DESTRUCTIVE))('refuses destructive variants: %s', (_, groups) => {
  const all = groups.flatMap(({ rule, cases }) => cases.map((entry) => [rule, argvOf(entry)] as const));
  it.each(all)('%s: %j', (rule, argv) => {
    expect(checkPolicy(argv)).toMatchObject({ allowed: false, rule });
  });
});

describe.each(Object.entries(HARMLESS))('allows harmless look-alikes: %s', (_, cases) => {
  it.each(cases.map((entry) => [argvOf(entry)]))('%j', (argv) => {
    expect(checkPolicy(argv)).toMatchObject({ allowed: true, reason: 'no rule forbids it' });
  });
});

describe('a blocked command stays blocked', () => {
  const base = blocked.filter(
    ([rule, argv]) => rule !== 'shell_unreadable' && argv.length > 0 && !argv[0]?.includes('='),
  );

  it('behind any wrappers', () => {
    const wrapper = fc.constantFrom(
      ['sudo'],
      ['sudo', '-u', 'me'],
      ['env', 'A=b'],
      ['A=b'],
      ['nohup'],
      ['time', '-p'],
      ['nice', '-n', '3'],
      ['timeout', '-k', '1', '9'],
      ['command'],
      ['busybox'],
      ['flock', 'f'],
      ['stdbuf', '-oL'],
      ['env', '-'],
      ['systemd-run', '--user', '-p', 'A=b'],
      ['unshare', '-r'],
      ['screen', '-dm'],
      ['tmux', 'new-session', '-d'],
      ['kubectl', 'exec', 'pod', '--'],
      ['nix', 'develop', '-c'],
      ['a-wrapper-nobody-knows', '--flag', 'value'],
    );
    fc.assert(
      fc.property(fc.constantFrom(...base), fc.array(wrapper, { maxLength: 4 }), ([, argv], wrappers) => {
        expect(checkPolicy([...wrappers.flat(), ...argv]).allowed).toBe(false);
      }),
    );
  });

  it('as one argument of an unknown program', () => {
    const around = fc.constantFrom(
      (c: string) => c,
      (c: string) => `--run=${c}`,
      (c: string) => `true && ${c}`,
      (c: string) => `!${c}`,
      (c: string) => `key=${c}`,
      (c: string) => `sudo ${c}`,
    );
    // There a secret counts only for a program that reads files, and only a script that parses counts.
    const readable = base.filter(([rule, argv]) => rule !== 'secret_access' && argv.length > 1);
    fc.assert(
      fc.property(
        fc.constantFrom(...readable),
        around,
        fc.constantFrom('--run', '-x', '--'),
        ([, argv], wrap, option) => {
          const script = wrap(argv.map(quoteSingle).join(' '));
          expect(checkPolicy(['unknown', option, script]), script).toMatchObject({ allowed: false });
        },
      ),
    );
  });

  it('in any quoting and any place of a shell script', () => {
    const place = fc.constantFrom(
      (c: string) => c,
      (c: string) => `cd x && ${c}`,
      (c: string) => `true;${c};true`,
      (c: string) => `( ${c} )`,
      (c: string) => `echo "$( ${c} )"`,
      (c: string) => `if true\nthen ${c}\nfi`,
      (c: string) => `>/dev/null ${c} 2>&1 &`,
      (c: string) => `sh -c ${quoteSingle(c)}`,
      (c: string) => `eval ${quoteSingle(c)}`,
      // Without the spaces a subshell would become arithmetic, which runs nothing in bash, dash and zsh.
      (c: string) => `cat <<X\n$( ${c} )\nX\n`,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...base),
        fc.array(place, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat({ max: 4 })),
        ([, argv], places, choices) => {
          const command = argv.map((word) => quote(word, choices)).join(' ');
          const script = places.reduce((inner, wrap) => wrap(inner), command);
          expect(checkPolicy(['sh', '-c', script]), script).toMatchObject({ allowed: false });
        },
      ),
      { numRuns: 400 },
    );
  });

  it('in any order and clustering of options', () => {
    const flags = fc
      .shuffledSubarray(['r', 'f', 'v', 'i'], { minLength: 0 })
      .filter((list) => list.includes('r') && list.includes('f'));
    fc.assert(
      fc.property(flags, fc.nat({ max: 3 }), fc.nat({ max: 3 }), (letters, cut, at) => {
        const options = [letters.slice(0, cut), letters.slice(cut)]
          .filter((part) => part.length > 0)
          .map((part) => `-${part.join('')}`);
        const argv = ['rm', ...options];
        argv.splice(1 + (at % argv.length), 0, 'some/dir');
        expect(checkPolicy(argv).rule).toBe('rm_recursive_force');
      }),
    );
  });
});

it('allows a destructive command that is quoted as data', () => {
  const asData = fc.constantFrom(
    (text: string) => ['echo', text],
    (text: string) => ['sudo', 'grep', '-rn', text, 'src'],
    (text: string) => ['git', 'commit', '-m', text],
    (text: string) => ['git', 'log', `--grep=${text}`],
    (text: string) => ['vitest', 'run', '-t', text],
    (text: string) => ['npm', 'test', '--', '--grep', text],
    (text: string) => ['pytest', '-k', text],
    (text: string) => ['gh', 'pr', 'create', '--title', text],
    (text: string) => ['sh', '-c', `echo ${quoteSingle(text)}`],
    (text: string) => ['sh', '-c', `npm test # ${text.replaceAll('\n', ' ')}`],
    (text: string) => ['sh', '-c', `case ${quoteSingle(text)} in x) true ;; esac`],
  );
  fc.assert(
    fc.property(fc.constantFrom(...blocked), asData, ([, argv], put) => {
      expect(checkPolicy(put(argv.join(' ')))).toMatchObject({ allowed: true });
    }),
  );
});

it('checks long and deeply nested input in bounded time', () => {
  const nested = Array.from({ length: 40 }).reduce<string>(
    (inner) => `sh -c ${quoteSingle(inner)}`.slice(0, 20_000),
    'ls',
  );
  expect(checkPolicy(['sh', '-c', nested])).toMatchObject({ allowed: false, rule: 'shell_unreadable' });
  expect(checkPolicy(['foo', ...Array.from({ length: 2000 }, (_, i) => `file ${i}`)]).rule).not.toBe(
    'rm_recursive_force',
  );
  expect(checkPolicy(['foo', `${'a=(b '.repeat(2000)}`]).rule).not.toBe('rm_recursive_force');
});

describe('assertAllowed', () => {
  const thrown = (argv: string[]) => {
    try {
      assertAllowed(argv);
    } catch (error) {
      return error as DevflowError;
    }
    return undefined;
  };

  it('throws with the code of the rule', () => {
    expect(thrown(['rm', '-rf', 'x'])).toMatchObject({
      code: 'destructive_command_blocked',
      data: { rule: 'rm_recursive_force' },
    });
    expect(thrown(['cat', '.env'])).toMatchObject({ code: 'secret_access_blocked', data: { rule: 'secret_access' } });
    expect(thrown(['git', 'status'])).toBeUndefined();
  });
});

function quoteSingle(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same word for a shell, written in one of several ways. */
function quote(word: string, choices: Iterator<number>): string {
  switch (choices.next().value) {
    case 0:
      return quoteSingle(word);
    case 1:
      return `"${word.replace(/[$`"\\]/g, '\\$&')}"`;
    case 2:
      return [...word].map((c) => (c === '\n' ? "'\n'" : `\\${c}`)).join('') || "''";
    case 3:
      return [...word].map((c) => quoteSingle(c)).join('') || "''";
    default:
      return `$'${[...word].map((c) => (/[\w./-]/.test(c) ? c : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)).join('')}'`;
  }
}
