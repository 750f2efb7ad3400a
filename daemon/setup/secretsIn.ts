/** A name and a value, as `.env`, INI, YAML, TOML and JSON files write them. */
const PAIR =
  /^[ \t]*(?:export[ \t]+)?["']?([A-Za-z_/@.][\w.:/@-]{0,100})["']?[ \t]*[:=][ \t]*(?:"((?:[^"\\]|\\.){0,4000})"|'([^']{0,4000})'|([^\s#,;][^\n#,;]{0,4000}))/gm;
/** In one line of JSON there are several. */
const JSON_PAIR = /"([A-Za-z_][\w.-]{0,100})"\s{0,10}:\s{0,10}"((?:[^"\\]|\\.){0,4000})"/g;
const SECRET_NAME = /secret|token|key|pass|pwd|credential|auth|private|salt|cert|dsn|cookie|session|signature|hash/i;

const LEAST = 6;
const LEAST_UNNAMED = 16;
const MOST_VALUES = 500;

/**
 * The likely secrets in a text of settings: values with a telling name, and those that look random. A false alarm costs a
 * word of a transcript, but `true`, `localhost` and paths would cost every line of it. Pure.
 */
export function secretsIn(text: string): string[] {
  const pairs = [...text.matchAll(PAIR), ...text.matchAll(JSON_PAIR)].map(([, name = '', ...values]) => {
    const value = values.find((each) => each !== undefined) ?? '';
    return { name, value: value.trim() };
  });
  const lines = text.split('\n').map((line) => line.trim());
  // A file may hold a token and nothing else.
  const alone = lines.filter((line) => looksRandom(line) && !/[\s=:]/.test(line));
  const found = pairs.flatMap(({ name, value }) => (isSecret(name, value) ? formsOf(value) : []));
  return [...new Set([...found, ...alone])].slice(0, MOST_VALUES);
}

function isSecret(name: string, value: string): boolean {
  if (looksRandom(value)) return true;
  if (value.length < LEAST || !SECRET_NAME.test(name)) return false;
  // Words, numbers, paths and addresses are in many lines that are no secret.
  return !/^(?:[a-z]{1,11}|[\d.]+|[./~].*|[a-z]+:\/\/[^@]*)$/i.test(value);
}

function looksRandom(value: string): boolean {
  if (value.length < LEAST_UNNAMED || !/^[\w+/=.~-]+$/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && /\d/.test(value) && !/^[./~]|\.\w{1,5}$|^[\d.-]+$/.test(value);
}

/** A value with escapes is printed without them, and one of several lines is printed line by line. */
function formsOf(value: string): string[] {
  const plain = value.replaceAll(/\\(["\\/])/g, '$1').replaceAll('\\n', '\n');
  const lines = plain.includes('\n') ? plain.split('\n').filter((line) => line.length >= LEAST_UNNAMED) : [];
  return [...new Set([value, plain, ...lines])];
}
