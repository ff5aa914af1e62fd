import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import type { VisitStep } from './visit.ts'

// This program runs in its own process, because the cryptography of the AWS client takes minutes inside a Jest test.
const program = `
  import { openPlatform } from './example-platform.ts'
  import { visit } from './sign-up/visit.ts'
  const steps = []
  await using platform = await openPlatform()
  for await (const step of visit(platform)) steps.push(step)
  process.stdout.write(JSON.stringify(steps))
`

it('an unmodified AWS client signs a user up and in over HTTP, and the shop accepts her token', async () => {
  const options = ['--conditions=@signalbox/source', '--input-type=module-typescript', '-e', program]
  const folder = new URL('..', import.meta.url)
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: folder, env })
  const steps = JSON.parse(stdout) as readonly VisitStep[]
  expect(steps.map(({ concluded }) => concluded)).toEqual(steps.map(({ expected }) => expected))
  expect(steps).toHaveLength(11)
}, 60_000)
