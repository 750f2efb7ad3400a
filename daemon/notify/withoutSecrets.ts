type Env = Readonly<Record<string, string | undefined>>;

/** Words in variable names that mark a secret. */
const SECRET =
  /(^|_)(TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIAL|CREDENTIALS|KEY|KEYS|AUTH|COOKIE|DSN)(_|$)/i;
const SECRET_END = /(APIKEY|ACCESSKEY|PRIVATEKEY|TOKEN|SECRET|PASSWORD|DATABASE_URL|_URI)$/i;
/** `scheme://user:password@host`, under any variable name. */
const PASSWORD_IN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/i;

/** The environment for the user's program: without devflow's settings and without likely secrets. */
export function withoutSecrets(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => {
    const isOwn = name.startsWith('DEVFLOW_') && name !== 'DEVFLOW_HOME';
    return value !== undefined && !isOwn && !isSecret(name, value);
  });
  return Object.fromEntries(kept) as Record<string, string>;
}

/** `SSH_AUTH_SOCK` and the like name a place, not a secret. */
function isSecret(name: string, value: string): boolean {
  if (/_(SOCK|FILE|DIR|PATH)$/i.test(name)) return false;
  return SECRET.test(name) || SECRET_END.test(name) || PASSWORD_IN_URL.test(value);
}
