import { expect, it } from '@jest/globals'
import { reasonForNode } from './needs-node.ts'

// The path of the Node that `npx -p node@24` runs on a machine with an old Node.
const ofPackage = '/home/ada/.npm/_npx/1/node_modules/node/bin/node'

it.each([
  ['an old Node', 'v20.20.2', '/usr/bin/node', 'Node v20.20.2 does not run TypeScript'],
  ['the last version that cannot run TypeScript', 'v22.17.1', '/usr/bin/node', 'Node v22.17.1 does not'],
  ['a copy of Node that npx installed', 'v24.0.0', ofPackage, `belongs to a package (${ofPackage})`],
])('a project needs its own Node because of %s', (_case, version, execPath, reason) => {
  expect(reasonForNode({ version, execPath })).toContain(reason)
})

it.each([
  ['the first version that runs TypeScript', 'v22.18.0'],
  ['a newer version', 'v24.0.0'],
])('a project needs no Node of its own with %s', (_case, version) => {
  expect(reasonForNode({ version, execPath: '/usr/bin/node' })).toBeUndefined()
})
