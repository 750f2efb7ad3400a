import type { Handler } from '../ports.ts';

export const policyCheck: Handler<'policy.check'> = ({ argv, cwd }, { policy }) => policy.check(argv, cwd);
