import { type Check, fail, pass, unchecked } from '../probe/check.ts';
import { ask } from '../probe/program.ts';

/** Only the database mode `compose` needs Docker. */
export const docker: Check = {
  name: 'docker',
  async run({ env, config, strict }) {
    if (!config && !strict) return unchecked();
    if (!strict && config?.database.mode !== 'compose') {
      return pass(`not needed: the database mode is ${config?.database.mode}`);
    }
    const ran = await ask('docker', ['info', '--format', '{{.ServerVersion}}'], env);
    const remediation = 'Install and start Docker, or use the embedded database: devflow up --db embedded.';
    if (!ran) return fail('docker is not on PATH', remediation);
    return ran.ok ? pass(`Docker ${ran.out}`) : fail(`the Docker daemon does not answer: ${ran.why}`, remediation);
  },
};
