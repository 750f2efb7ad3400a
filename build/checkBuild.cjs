// Says before a build what it lacks. It runs on any Node and needs no package.
'use strict';
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = dirname(__dirname);
const [major, minor] = process.versions.node.split('.').map(Number);
const isOld = major < 22 || (major === 22 && minor < 18);
const platform = `${process.platform}-${process.arch}`;
// Those of pinnedNode/package.json.
const isPinned = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].includes(platform);

function fail(message) {
  console.error(`devflow: ${message}`);
  process.exit(1);
}

// npm install -g . links a clone and installs nothing in it.
if (!existsSync(join(root, 'node_modules', 'esbuild')))
  fail(`it cannot be built: its packages are not installed. Run npm ci in ${root} first, without --omit=dev.`);
if (isOld && isPinned)
  fail(
    `building it needs Node 22.18 or newer; this is ${process.version}. Run npm ci, which brings one, without --omit=optional.`,
  );
if (isOld)
  fail(
    `building it needs Node 22.18 or newer; this is ${process.version}, and npm has none for ${platform}. Install Node 22 and run npm ci again.`,
  );
