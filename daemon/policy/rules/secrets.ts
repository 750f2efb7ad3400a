import { posix } from 'node:path';
import type { Word } from '../call/call.ts';
import type { Violation } from '../call/violation.ts';

const DIRECTORIES = new Set(['.ssh', '.aws', '.kube', '.gnupg']);
const FILES = /^(?:\.netrc|\.pgpass|\.pypirc|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/;
const PLACES = /(?:^|\/)(?:\.config\/(?:gcloud|gh)|\.docker\/config\.json|etc\/g?shadow|proc\/[^/]+\/environ)(?:\/|$)/;
const HOME_FILES = /^(?:~|\$HOME|\$\{HOME\}|\/root|\/home\/[^/]+)\/\.npmrc$/;
const SECRET_WORDS = new Set(['token', 'tokens', 'secret', 'secrets', 'credential', 'credentials']);
const GLOBBED = ['.env', '.env.local', '.ssh', '.aws', '.kube'];
/** A sample of a .env contains no secrets. */
const SAMPLE = /^\.env(?:rc)?(?:\.[\w-]+)*\.(?:example|sample|template|dist|tpl|defaults?)$/;

/** Code, documents and styles. Not `.sh`, `.sql` and data files: people keep secrets in them. */
const SOURCE = new Set(
  [
    'ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi ipynb go rs java kt kts scala rb php c h cc cpp hpp cs fs',
    'swift m ex exs erl clj dart lua pl r jl hs ml nim zig sol proto graphql gql feature snap',
    'md mdx rst adoc html htm css scss sass less svg png',
  ].flatMap((line) => line.split(' ')),
);

/** Programs that show or copy a file's content. Their arguments, such as `token`, are file names. */
const READERS = new Set([
  ...['cat', 'tac', 'nl', 'less', 'more', 'head', 'tail', 'bat', 'cp', 'mv', 'scp', 'rsync', 'install', 'tee', 'dd'],
  ...['base64', 'base32', 'xxd', 'od', 'hexdump', 'strings', 'source', '.', 'openssl', 'curl', 'wget', 'grep', 'rg'],
  ...[
    'sed',
    'awk',
    'sort',
    'cut',
    'diff',
    'zip',
    'tar',
    'gzip',
    'nc',
    'vi',
    'vim',
    'nano',
    'code',
    'jq',
    'yq',
    'paste',
  ],
]);

export function isReader(name: string): boolean {
  return READERS.has(name);
}

/** Yields a violation for each word that may be the path of a secret. */
export function* secretsIn(words: readonly Word[], bareNames: boolean): Generator<Violation> {
  for (const { text } of words) {
    const found = readings(text).find((reading) => isSecretPath(reading.path, bareNames && reading.whole));
    if (found) yield { rule: 'secret_access', reason: `${found.path} may contain secrets` };
  }
}

/** The words of `args` that may name files. After `--` an option may be a file, or an option of a wrapped command. */
export function fileWords(args: readonly Word[]): Word[] {
  let options = true;
  return args.flatMap((word) => {
    if (word.text === '--') options = false;
    if (word.role === 'text') return [];
    if (!word.text.startsWith('-')) return [word];
    return options ? attachedValue(word) : [word, ...attachedValue(word)];
  });
}

/** The value that an option has in the same word, if it may name a file. */
function attachedValue(option: Word): Word[] {
  const equals = option.text.indexOf('=');
  if (equals > 0) return [{ ...option, text: option.text.slice(equals + 1) }];
  // `-f.env`; without a dot or slash the letters are more likely a cluster of options.
  const attached = option.text.startsWith('--') ? '' : option.text.slice(2);
  return /[./]/.test(attached) ? [{ ...option, text: attached }] : [];
}

/** The paths that a word may contain: itself, after `@` or `key=`, and each side of a colon (`HEAD:.env`, `./a:/b`). */
function readings(text: string): { path: string; whole: boolean }[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^file:/i.test(text)) return [];
  const value = text.replace(/^@/, '');
  const parts = value.split(/[:,=]/);
  return [
    { path: value, whole: true },
    ...(parts.length > 1 ? parts.map((path) => ({ path: path.replace(/^@/, ''), whole: false })) : []),
  ];
}

/**
 * `.env*` except samples; directories and files of keys; and data files whose name contains the word token, secret or
 * credentials. Only whole words count (not `tokenizer.json`), and not in names of code and documents, to avoid false alarms.
 * Without an extension such a word counts only with `bareNames`.
 */
function isSecretPath(path: string, bareNames: boolean): boolean {
  const lower = posix.normalize(path.replaceAll('\\', '/')).toLowerCase();
  const segments = lower.split('/').filter((part) => part !== '');
  const base = segments.at(-1) ?? '';
  const sensitive = (part: string) => (part.startsWith('.env') && !SAMPLE.test(part)) || DIRECTORIES.has(part);
  if (segments.some((part) => sensitive(part) || globMatches(part))) return true;
  if (PLACES.test(lower) || HOME_FILES.test(path) || (segments[0] === 'run' && segments[1] === 'secrets')) return true;
  if (FILES.test(base)) return !isPublicPart(base);
  const extension = posix.extname(base).slice(1);
  if (SOURCE.has(extension) || lower.endsWith('/') || /\s/.test(base)) return false;
  const name = posix.basename(path.replaceAll('\\', '/')).replace(/([a-z])([A-Z])/g, '$1 $2');
  const words = name.toLowerCase().split(/[^a-z]+/);
  return words.some((word) => SECRET_WORDS.has(word)) && (bareNames || /[^.]\.[a-z0-9]{1,8}$/.test(base));
}

/** Parts of words, which would keep too many commands from running. */
const LIKELY_NAME = /^\.env|\.env$|^\.npmrc$|secret|credential|token|\.(?:pem|key)$/i;

/**
 * Tells how likely the values of a file are worth a mask. A false alarm costs a word here, not a command. A directory `.env`
 * may be a virtual environment, so its name alone makes none likely.
 */
export function mayHoldSecrets(path: string): 'likely' | 'perhaps' | undefined {
  const parts = path.split('/');
  const base = parts.pop() ?? '';
  const rest = [...parts.filter((part) => !/^\.env/i.test(part)), base].join('/');
  if (isSecretPath(rest, true) || LIKELY_NAME.test(base)) return 'likely';
  return isSecretPath(path, true) && !SOURCE.has(posix.extname(base).slice(1)) ? 'perhaps' : undefined;
}

/**
 * The public part of a key pair often has the extension of the key. Not so a certificate: servers are given one file with
 * both, and it is called `cert.pem`.
 */
function isPublicPart(base: string): boolean {
  const words = new Set(base.split(/[^a-z]+/));
  const has = (...names: string[]) => names.some((name) => words.has(name));
  if (!/\.(?:pem|key)$/.test(base)) return false;
  if (has('public', 'pub')) return true;
  return base.endsWith('.pem') && has('ca', 'chain', 'fullchain') && !words.has('key') && !/priv/.test(base);
}

/** A glob, such as `.en?` or `.*`, that a shell may expand to one of the names. */
function globMatches(part: string): boolean {
  if (!/^[.[].*[*?[]|^\[/.test(part)) return false;
  const pattern = part
    .replace(/[.+^$(){}|\\]/g, '\\$&')
    // Replace several stars by one: with thirty in a row, the match would take seconds.
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
    .replace(/\[!/g, '[^');
  try {
    return GLOBBED.some((name) => new RegExp(`^${pattern}$`).test(name));
  } catch {
    return false; // A shell does not expand an unclosed bracket either.
  }
}
