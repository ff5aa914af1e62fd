import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { projectFolder } from '@signalbox/platform-load-balancer/testing/project-folder'
import { run } from '@signalbox/platform-runtime/command-line'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands } from './all.ts'

async function signalbox(folder: string, ...words: string[]) {
  const captured = captureTerminal(folder)
  const code = await run(words, commands, '1', captured.terminal)
  return { code, printed: captured.printed, error: captured.printedErrors.split('\n')[0] }
}

it('"signalbox trace" takes a request id or a number, and prints no control characters', async () => {
  using folder = projectFolder()
  const path = '/\u001b]0;owned\u0007'
  writeFileSync(join(folder.path, 'event.json'), JSON.stringify({ ...httpEvent('GET', '/'), path }))
  await signalbox(folder.path, 'invoke', 'shop', 'event.json')
  const { requestId } = JSON.parse((await signalbox(folder.path, 'log', '--json')).printed) as {
    requestId: string
  }
  const { code, printed } = await signalbox(folder.path, 'trace', requestId)
  expect(code).toBe(0)
  const digits = requestId.replaceAll('-', '').slice(8)
  expect(printed).toMatch(new RegExp(`^trace [\\da-f]{8}${digits}: 1 invocation in `))
  expect(printed).toMatch(/^▸ \+0 ms .* invoke → shop GET .*owned.* #1$/m)
  expect(printed.replaceAll('\n', '')).toMatch(/^[^\p{Cc}]*$/u)
  expect((await signalbox(folder.path, 'trace', '#1')).printed).toBe(printed)
  const json = JSON.parse((await signalbox(folder.path, 'trace', '1', '--json')).printed) as object
  expect(json).toMatchObject({ depth: 0, offset: 0, entry: { requestId } })
})

it.each([
  [[], 'trace needs a request id, or the number of an invocation.'],
  [['7'], 'The invocation log has no entry with the request id "7".'],
  [['some-id'], 'The invocation log has no entry with the request id "some-id".'],
] as const)('"signalbox trace" with %j is refused with the reason', async (operands, sentence) => {
  using folder = projectFolder()
  writeFileSync(join(folder.path, 'event.json'), JSON.stringify(httpEvent('GET', '/')))
  await signalbox(folder.path, 'invoke', 'shop', 'event.json')
  expect(await signalbox(folder.path, 'trace', ...operands)).toEqual({
    code: 2,
    printed: '',
    error: sentence,
  })
})
