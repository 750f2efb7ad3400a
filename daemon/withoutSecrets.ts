type Env = Readonly<Record<string, string | undefined>>;

/** Words that tell a secret by the name of its variable. */
const SECRET =
  /(^|_)(TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIAL|CREDENTIALS|KEY|KEYS|AUTH|COOKIE|DSN)(_|$)/i;
const SECRET_END = /(APIKEY|ACCESSKEY|PRIVATEKEY|TOKEN|SECRET|PASSWORD|DATABASE_URL|_URI)$/i;
/** `scheme://user:password@host`, whatever the variable is called. */
const PASSWORD_IN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/i;

/** The person's environment for a program of theirs: without devflow's own settings and what reads as a secret. */
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
