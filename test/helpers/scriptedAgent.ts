import { join } from 'node:path';

export const SCRIPTED_AGENT = join(import.meta.dirname, '../fixtures/scripted/bin/scripted-agent');
