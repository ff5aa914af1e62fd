import { expect, it } from '@jest/globals'
import { needsNode } from './needs-node.ts'

it.each([
  ['v20.20.2', '/usr/bin/node', true],
  ['v22.17.1', '/usr/bin/node', true],
  ['v22.18.0', '/usr/bin/node', false],
  ['v24.0.0', '/usr/bin/node', false],
  // npx -p node@24, on a machine whose own Node is old.
  ['v24.0.0', '/home/ada/.npm/_npx/1/node_modules/node/bin/node', true],
])('with Node %s at %s, a project needs a Node of its own: %j', (version, execPath, expected) => {
  expect(needsNode({ version, execPath })).toBe(expected)
})
