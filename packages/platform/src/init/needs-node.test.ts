import { expect, it } from '@jest/globals'
import { needsNode } from './needs-node.ts'

it.each([
  ['true for an old Node', 'v20.20.2', '/usr/bin/node', true],
  ['true for the last version that cannot run TypeScript', 'v22.17.1', '/usr/bin/node', true],
  ['false for the first version that runs TypeScript', 'v22.18.0', '/usr/bin/node', false],
  ['false for a newer version', 'v24.0.0', '/usr/bin/node', false],
  // The path of the Node that `npx -p node@24` runs on a machine with an old Node.
  [
    'true for a copy of Node that npx installed',
    'v24.0.0',
    '/home/ada/.npm/_npx/1/node_modules/node/bin/node',
    true,
  ],
])('needsNode returns %s', (_case, version, execPath, expected) => {
  expect(needsNode({ version, execPath })).toBe(expected)
})
