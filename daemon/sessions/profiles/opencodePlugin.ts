import { HOOK_DIRECTORY } from '../tmux/observe/hookScript.ts';

/**
 * A plugin for opencode, written for each session and loaded by its path. It writes events about turns where hooks
 * write theirs, whole or not at all. It ignores a subagent's conversation. A failed turn ends with `session.error` and
 * then `session.idle`, so the end carries the reason.
 */
export function opencodePlugin(sessionDir: string): string {
  return `import { mkdirSync, renameSync, writeFileSync } from 'node:fs';

const directory = ${JSON.stringify(`${sessionDir}/${HOOK_DIRECTORY}`)};
let count = 0;

function report(name, data) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const id = process.pid + '-' + ++count;
    const draft = directory + '/.' + name + '.' + id;
    writeFileSync(draft, JSON.stringify(data), { mode: 0o600 });
    renameSync(draft, directory + '/' + Math.floor(Date.now() / 1000) + '.' + id + '.' + name + '.json');
  } catch {
    // Without an event, the screen decides.
  }
}

const children = new Set();
let failure;

// Events of the session's earlier program are over.
report('SessionStart', {});

export const Devflow = async () => ({
  'chat.message': async ({ sessionID }, { parts }) => {
    if (children.has(sessionID)) return;
    failure = undefined;
    const prompt = parts.map((part) => (part.type === 'text' && !part.synthetic ? part.text : '')).join('');
    report('UserPromptSubmit', { session_id: sessionID, prompt });
  },
  event: async ({ event: { type, properties = {} } }) => {
    const session_id = properties.sessionID;
    if (type === 'session.created' && properties.info?.parentID) children.add(properties.info.id);
    if (session_id === undefined || children.has(session_id)) return;
    const { status, error } = properties;
    if (type === 'session.status' && status?.type === 'busy') report('Busy', { session_id });
    else if (type === 'session.status' && status?.type === 'retry')
      report('Retry', { session_id, message: status.message, next: status.next });
    else if (type === 'session.error') failure = { name: error?.name, ...error?.data };
    else if (type === 'session.idle') report('Stop', { session_id, failure });
    else if (type === 'permission.asked') report('PermissionRequest', { session_id, tool_name: properties.permission });
    else if (type === 'question.asked') report('Question', { session_id });
    else if (type === 'permission.replied' || type === 'question.replied' || type === 'question.rejected')
      report('Answered', { session_id });
  },
});
`;
}
