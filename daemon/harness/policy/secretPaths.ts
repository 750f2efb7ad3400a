import { posix } from 'node:path';

const DIRECTORIES = new Set(['.ssh', '.aws', '.kube']);
const SECRET_WORDS = new Set(['token', 'tokens', 'secret', 'secrets', 'credential', 'credentials']);
const GLOBBED = ['.env', '.env.local', '.ssh', '.aws', '.kube'];

/** `.sh`, `.sql` and everything that holds data are left out: people do keep secrets in them. */
const SOURCE = new Set(
  'ts tsx mts cts js jsx mjs cjs vue svelte py pyi go rs java kt kts scala rb php c h cc cpp hpp cs swift m ex exs'.split(
    ' ',
  ),
);

/**
 * True when a path is one of plan section 14.3: `.env*`, the ssh, aws, gcloud and kube directories, `*.pem`, `*.key`, or
 * a file whose name has the word token, secret or credentials.
 *
 * The plan's globs are taken word by word: `api_token.txt`, `tokens.json` and `clientSecret.yaml` match, `tokenizer.ts`
 * and `secretary.md` do not, because a lexer or a person is no secret and a policy that cries wolf is switched off.
 * For the same reason such a word counts for nothing in the name of source or test code (`token.ts`,
 * `secrets.test.ts`): it is code about secrets, it lies in the repository, and every test run names such files.
 * With `bareNames` false (git refs, package names) such a word counts only in a name with an extension.
 */
export function isSecretPath(path: string, bareNames = true): boolean {
  const segments = posix
    .normalize(path.replaceAll('\\', '/'))
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const sensitive = (part: string) => part.startsWith('.env') || DIRECTORIES.has(part) || globMatches(part);
  if (segments.some(sensitive)) return true;
  if (segments.some((part, i) => part === 'gcloud' && segments[i - 1] === '.config')) return true;
  if (segments[0] === 'run' && segments[1] === 'secrets') return true;
  const base = posix.basename(path.replaceAll('\\', '/'));
  if (/\.(?:pem|key)$/i.test(base)) return true;
  if (SOURCE.has(posix.extname(base).slice(1).toLowerCase())) return false;
  return wordsOf(base).some((word) => SECRET_WORDS.has(word)) && (bareNames || /[^.]\.[A-Za-z0-9]{1,8}$/.test(base));
}

/** `apiToken_v2.json` → api, token, v, json. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

/** A glob such as `.en?` or `.*` that a shell would expand to one of the names. */
function globMatches(part: string): boolean {
  if (!part.startsWith('.') && !part.startsWith('[')) return false;
  if (!/[*?[]/.test(part)) return false;
  const pattern = part
    .replace(/[.+^$(){}|\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.')
    .replace(/\[!/g, '[^');
  try {
    return GLOBBED.some((name) => new RegExp(`^${pattern}$`).test(name));
  } catch {
    return false; // An unclosed bracket is no glob to a shell either.
  }
}
