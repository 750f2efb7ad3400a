import { posix } from 'node:path';

const DIRECTORIES = new Set(['.ssh', '.aws', '.kube']);
const SECRET_WORDS = new Set(['token', 'tokens', 'secret', 'secrets', 'credential', 'credentials']);
const GLOBBED = ['.env', '.env.local', '.ssh', '.aws', '.kube'];

/**
 * True when a path is one of plan section 14.3: `.env*`, the ssh, aws, gcloud and kube directories, `*.pem`, `*.key`, or
 * a file whose name has the word token, secret or credentials.
 *
 * The plan's globs are taken word by word: `api_token.txt`, `tokens.json` and `clientSecret.yaml` match, `tokenizer.ts`
 * and `secretary.md` do not, because a lexer or a person is no secret and a policy that cries wolf is switched off.
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
