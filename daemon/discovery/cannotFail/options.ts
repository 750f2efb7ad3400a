import { kindOfCommand } from '../candidate/kindOfCommand.ts';

/** Options by which a tool ends with 0 whatever it finds, or finds nothing. */
const ALWAYS = new Map([
  ['--if-present', 'without such a script'],
  ['--passWithNoTests', 'without tests'],
  ['--pass-with-no-tests', 'without tests'],
  ['--no-tests=ignore', 'without tests'],
  ['--exit-zero', 'whatever it finds'],
  ['--issues-exit-code=0', 'whatever it finds'],
  ['--no-exit-code', 'whatever it finds'],
  ['--pass-on-failing-test-suite', 'whatever it finds'],
  ['--fail-never', 'whatever it finds'],
]);
const MAVEN = { '-fn': 'whatever fails' };
const MAKE = { '-i': 'whatever fails', '--ignore-errors': 'whatever fails' };
/** Options that mean this to one program alone. */
const OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mvn: MAVEN,
  mvnw: MAVEN,
  make: MAKE,
  gmake: MAKE,
};
/** Options that take the tests away. A command that only builds fails all the same. */
const WITHOUT_TESTS: Readonly<Record<string, string>> = {
  '-Dmaven.test.failure.ignore': 'whatever fails',
  '-DskipTests': 'without a test',
  '-Dmaven.test.skip': 'without a test',
};

/** The reason why an option keeps the command green, such as `--exit-zero ends with 0 whatever it finds`. */
export function passingOption(program: string, args: readonly string[]): string | undefined {
  const always = Object.hasOwn(OF, program) ? OF[program] : undefined;
  const isTest = always === MAVEN && kindOfCommand([program, ...args]) === 'test';
  const own = isTest ? { ...always, ...WITHOUT_TESTS } : always;
  for (const arg of args) {
    const plain = arg.replace(/=true$/, '');
    const when = ALWAYS.get(plain) ?? (own && Object.hasOwn(own, plain) ? own[plain] : undefined);
    if (when !== undefined) return `${plain} ends with 0 ${when}`;
  }
  return undefined;
}
