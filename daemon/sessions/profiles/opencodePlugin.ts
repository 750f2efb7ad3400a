import { HOOK_DIRECTORY } from '../tmux/observe/hookScript.ts';

/**
 * A plugin of opencode's, loaded by its path and written for each session: it leaves the events that tell of turns where
 * hooks leave theirs, whole or not at all. Of a subagent's conversation it says nothing. A failed turn ends with
 * `session.error` and then `session.idle` like any other, so the end carries why.
 */
export function opencodePlugin(sessionDir: string): string {
  return `import { mkdirSync, renameSync, writeFileSync } from 'node:fs';

const directory = ${JSON.stringify(`${sessionDir}/${HOOK_DIRECTORY}`)};
let count = 0;

function tell(name, data) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const id = process.pid + '-' + ++count;
    const draft = directory + '/.' + name + '.' + id;
    writeFileSync(draft, JSON.stringify(data), { mode: 0o600 });
    renameSync(draft, directory + '/' + Math.floor(Date.now() / 1000) + '.' + id + '.' + name + '.json');
  } catch {
    // A session that is told nothing of is judged by its screen.
  }
}

const children = new Set();
let failure;

// What an earlier program of this session left is over.
tell('SessionStart', {});

export const Devflow = async () => ({
  'chat.message': async ({ sessionID }, { parts }) => {
    if (children.has(sessionID)) return;
    failure = undefined;
    const prompt = parts.map((part) => (part.type === 'text' && !part.synthetic ? part.text : '')).join('');
    tell('UserPromptSubmit', { session_id: sessionID, prompt });
  },
  event: async ({ event: { type, properties = {} } }) => {
    const session_id = properties.sessionID;
    if (type === 'session.created' && properties.info?.parentID) children.add(properties.info.id);
    if (session_id === undefined || children.has(session_id)) return;
    const { status, error } = properties;
    if (type === 'session.status' && status?.type === 'busy') tell('Busy', { session_id });
    else if (type === 'session.status' && status?.type === 'retry')
      tell('Retry', { session_id, message: status.message, next: status.next });
    else if (type === 'session.error') failure = { name: error?.name, ...error?.data };
    else if (type === 'session.idle') tell('Stop', { session_id, failure });
    else if (type === 'permission.asked') tell('PermissionRequest', { session_id, tool_name: properties.permission });
    else if (type === 'question.asked') tell('Question', { session_id });
    else if (type === 'permission.replied' || type === 'question.replied' || type === 'question.rejected')
      tell('Answered', { session_id });
  },
});
`;
}
