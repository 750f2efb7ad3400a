import { join } from 'node:path';
import { inject } from 'vitest';
import { defaultSettings } from '../../../../../schemas/config/settings.ts';
import type {} from '../../../../helpers/globalBuild.ts';
import type {} from '../../../../helpers/globalTemporal.ts';

/** The Temporal server of the tests, the SDK's packages and the built workflow. */
export function temporalPlace() {
  const temporal = inject('temporal');
  if (!temporal) throw new Error('this test runs in npm run test:temporal');
  return { ...temporal, workflow: join(inject('built'), 'dist', 'temporalWorkflow.cjs') };
}

/** The default settings, for this server. */
export function temporalSettings({ address, namespace }: { address: string; namespace: string }) {
  const { temporal } = defaultSettings({ workspaceRoot: '/ws', tmuxSocketName: 'none' });
  return { ...temporal, address, namespace };
}
