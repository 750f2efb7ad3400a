import { join } from 'node:path';
import { homeOf } from '../../schemas/files/home.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { serviceEnvironment } from './environment.ts';
import type { Service } from './files.ts';

/** An agent of macOS. launchd reads its directory at log-in. */
export function launchAgent(env: Env, name: string, words: readonly string[]): Service {
  const file = join(homeOf(env), 'Library', 'LaunchAgents', `${name}.plist`);
  const domain = `gui/${process.getuid?.() ?? 501}`;
  return {
    name,
    file,
    // It says where the daemon listens. systemd sets it itself.
    text: plistText(name, words, serviceEnvironment(env, ['XDG_RUNTIME_DIR']), resolvePaths(env).logFile),
    directories: [],
    startNow: `launchctl bootstrap ${domain} '${file}'`,
  };
}

/** Only the keeper is stopped by launchd. It ends the daemon in order, and agents stay in their panes. */
function plistText(
  name: string,
  words: readonly string[],
  variables: readonly [name: string, value: string][],
  logFile: string,
): string {
  const strings = words.map((word) => `    <string>${escaped(word)}</string>`);
  const pairs = variables.map(
    ([key, value]) => `    <key>${escaped(key)}</key>\n    <string>${escaped(value)}</string>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by devflow service install. To remove it: devflow service remove. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(name)}</string>
  <key>ProgramArguments</key>
  <array>
${strings.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${pairs.join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  <string>${escaped(logFile)}</string>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
