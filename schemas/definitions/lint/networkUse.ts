/** Programs that need the network: always (`*`), or with one of these words after them. A list of hints, not a proof. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  curl: ['*'],
  wget: ['*'],
  ssh: ['*'],
  scp: ['*'],
  npm: ['install', 'i', 'ci', 'add', 'update', 'publish'],
  pnpm: ['install', 'i', 'add', 'update', 'publish'],
  yarn: ['install', 'add', 'up', 'upgrade', 'publish'],
  bun: ['install', 'add', 'update', 'publish'],
  pip: ['install', 'download'],
  pip3: ['install', 'download'],
  uv: ['sync', 'add', 'lock'],
  poetry: ['install', 'add', 'update', 'publish'],
  git: ['push', 'fetch', 'pull', 'clone', 'ls-remote'],
  docker: ['pull', 'push'],
  podman: ['pull', 'push'],
  cargo: ['fetch', 'install', 'update', 'publish'],
  go: ['get', 'install'],
  gem: ['install', 'update', 'push'],
  bundle: ['install', 'update'],
  composer: ['install', 'update', 'require'],
  apt: ['install', 'update', 'upgrade'],
  'apt-get': ['install', 'update', 'upgrade'],
  brew: ['install', 'update', 'upgrade'],
};

/** The part of a command that needs the network, such as `npm ci`; undefined if none is known to. Sees into scripts, too. */
export function networkUse(argv: readonly string[]): string | undefined {
  const words = argv.flatMap((word) => word.split(/[\s;&|()'"`]+/)).filter((word) => word !== '');
  const uses = words.flatMap((word, at) => {
    const program = word.slice(word.lastIndexOf('/') + 1);
    const needs = Object.hasOwn(NEEDS, program) ? NEEDS[program] : undefined;
    if (needs?.[0] === '*') return [program];
    // Options and their values may stand between.
    const action = needs && words.slice(at + 1, at + 6).find((each) => needs.includes(each));
    return action === undefined ? [] : [`${program} ${action}`];
  });
  return uses.find((use) => use === 'git push') ?? uses[0];
}
