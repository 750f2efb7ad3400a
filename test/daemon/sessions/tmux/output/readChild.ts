import { join } from 'node:path';
import { claude } from '../../../../../daemon/sessions/profiles/claude.ts';
import { readRolloutLine } from '../../../../../daemon/sessions/profiles/codexRollout.ts';
import { conversationHas } from '../../../../../daemon/sessions/tmux/deliver/conversationHas.ts';
import { watchHooks } from '../../../../../daemon/sessions/tmux/observe/hookFiles.ts';
import { watchRecord } from '../../../../../daemon/sessions/tmux/observe/recordFile.ts';
import { watchStateFile } from '../../../../../daemon/sessions/tmux/observe/stateFiles.ts';

/** Reads what an agent names or leaves, each by its reader, and says so after each: `node readChild.ts <directory>`. */
const directory = process.argv[2] ?? '';
const record = join(directory, 'record.jsonl');
const nothing = () => {};

conversationHas(record, 'a-uuid');
process.stdout.write('conversation ');
const about = { path: () => record, read: readRolloutLine, conversationId: () => 'mine', since: 0, onChange: nothing };
watchRecord(about).look();
process.stdout.write('record ');
watchStateFile(join(directory, 'state'), (data) => claude.stateFile?.read(data, 'mine'), nothing).look();
process.stdout.write('state ');
(await watchHooks(join(directory, 'hooks'), nothing)).look();
process.stdout.write('hooks');
process.exit();
