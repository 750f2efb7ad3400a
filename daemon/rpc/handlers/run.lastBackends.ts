import type { Handler } from '../ports.ts';
import { overridesOf } from './run.start.ts';

export const runLastBackends: Handler<'run.lastBackends'> = ({ repo, template, bind, backend }, { engine }) =>
  engine.lastBackends({ repo, template, overrides: overridesOf(bind, backend) });
