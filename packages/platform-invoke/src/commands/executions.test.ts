import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { lambdaClient } from '../testing/invoke-platform.ts'
import { createPlatform, signalbox } from '../testing/invoke-program.ts'

/** A durable function without an SDK, which waits for an approval. */
const order = `
export const handler = async event => {
  const approval = event.InitialExecutionState.Operations.find(({ Id }) => Id === 'approval')
  if (approval?.Status === 'SUCCEEDED') return { Status: 'SUCCEEDED', Result: approval.CallbackDetails.Result }
  if (approval?.Status === 'FAILED') return { Status: 'FAILED', Error: approval.CallbackDetails.Error }
  if (approval === undefined) {
    const Updates = [{ Id: 'approval', Name: 'approval', Type: 'CALLBACK', Action: 'START' }]
    const arn = encodeURIComponent(event.DurableExecutionArn)
    const url = process.env.AWS_ENDPOINT_URL_LAMBDA + '/2025-12-01/durable-executions/' + arn + '/checkpoint'
    const body = JSON.stringify({ CheckpointToken: event.CheckpointToken, Updates })
    const { status } = await fetch(url, { method: 'POST', body })
    if (status !== 200) throw new Error('The checkpoint has the status ' + status + '.')
  }
  return { Status: 'PENDING' }
}
`
const config = {
  functions: {
    order: { module: './order.mjs', durable: { timeout: 3600 } },
    plain: { module: './order.mjs' },
  },
  invoke: { port: 0 },
}

it('the commands executions and execution show, continue and stop executions, with and without a running platform', async () => {
  using folder = temporaryFolder()
  const { path } = folder
  // What looks like an import can be a file that cannot be read.
  symlinkSync('loop.mjs', join(path, 'loop.mjs'))
  writeFileSync(join(path, 'order.mjs'), `// nothing comes from './loop.mjs'\n${order}`)
  writeFileSync(join(path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  const run = (...args: string[]) => signalbox(path, ...args)
  expect((await run('executions')).printed).toBe('There are no such executions.')
  const platform = createPlatform(config as never, { root: path })
  const [address] = await platform.start()
  const client = lambdaClient(address!.url)
  const start = (DurableExecutionName: string) =>
    client.invoke('order', { password: 'open-sesame-1' }, { InvocationType: 'Event', DurableExecutionName })
  for (const name of ['order-1', 'order-2', 'order-3']) await start(name)
  const waitingFor = async (name: string) => {
    for (let look = 0; look < 300; look++) {
      const { printed } = await run('execution', 'show', name)
      await delay(50)
      const [, callback] = /CallbackStarted .*callback (\S+)/.exec(printed) ?? []
      if (callback !== undefined && printed.includes('InvocationCompleted')) return { printed, callback }
    }
    throw new Error(`${name} does not wait.`)
  }
  const { printed, callback } = await waitingFor('order-1')
  expect(printed).toMatch(
    /^order order-1: RUNNING\n1 +\S+ \S+ +ExecutionStarted +order-1 +input \{"password":/,
  )
  expect(printed).not.toContain('open-sesame-1')
  expect(await run('execution', 'callback', callback, '--result', 'paid')).toMatchObject({
    ...{ exitCode: 0, printed: 'The callback has ended.' },
  })
  let shown = ''
  for (let look = 0; look < 300 && !shown.includes('order-1: SUCCEEDED'); look++) {
    shown = (await run('execution', 'show', 'order-1')).printed
    await delay(50)
  }
  expect(shown).toContain('order-1: SUCCEEDED')
  expect((await run('execution', 'callback', callback)).printedErrors).toContain('has already ended')
  await waitingFor('order-2')
  const last = await waitingFor('order-3')
  expect((await run('execution', 'stop', 'order-2', '--error', 'no longer wanted')).printed).toBe(
    'The execution is stopped.',
  )
  client.destroy()
  await platform.stop()

  const lines = (await run('executions', 'order', '--json')).printed.split('\n').map(line => JSON.parse(line))
  expect(lines).toMatchObject([
    { name: 'order-3', status: 'RUNNING' },
    { name: 'order-2', status: 'STOPPED' },
    { name: 'order-1', status: 'SUCCEEDED', function: 'order' },
  ])
  expect((await run('executions', '--status', 'running')).printed).toMatch(
    /^id .*\n\S+ +order +order-3 +RUNNING/,
  )
  expect((await run('execution', 'callback', last.callback, '--error', 'refused')).printed).toBe(
    'The callback has ended.',
  )
  expect((await run('execution', 'show', 'order-3')).printed).toMatch(
    /CallbackFailed .*error \{"ErrorMessage":"refused"\}/,
  )
  expect(await run('execution', 'stop', 'order-1')).toMatchObject({
    ...{ exitCode: 1, printed: 'The execution has ended before: SUCCEEDED.' },
  })
}, 60_000)

it.each([
  [['executions', 'ordr'], 'ordr'],
  [['executions', '--status', 'GONE'], '--status GONE: expected one of RUNNING'],
  [['executions', '--limit', '0'], 'expected a whole number above 0'],
  [['execution', 'see', 'x'], 'execution needs show, stop or callback.'],
  [['execution', 'show'], 'execution show needs an id.'],
  [['execution', 'show', 'x', '--heartbeat'], 'takes neither --result nor --heartbeat'],
  [['execution', 'callback', 'x', '--error', 'e', '--heartbeat'], 'takes one of'],
  [['execution', 'show', 'nothing'], 'There is no execution nothing.'],
])('the command %s is refused in words', async (args, words) => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'order.mjs'), order)
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  const { exitCode, printedErrors } = await signalbox(folder.path, ...args)
  expect(printedErrors).toContain(words)
  expect(exitCode).not.toBe(0)
})

it('an execution that goes on with other code says so', async () => {
  using folder = temporaryFolder()
  const { path } = folder
  writeFileSync(join(path, 'answer.mjs'), 'export const answer = 1')
  writeFileSync(join(path, 'order.mjs'), `import { answer } from './answer.mjs'\n${order}`)
  writeFileSync(join(path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  const notices: string[] = []
  const started = async () => {
    const platform = createPlatform(config as never, { root: path, onNotice: text => notices.push(text) })
    const [address] = await platform.start()
    return { platform, client: lambdaClient(address!.url) }
  }
  const shown = async (wanted: RegExp) => {
    for (let look = 0; look < 300; look++) {
      const { printed } = await signalbox(path, 'execution', 'show', 'order-1')
      if (wanted.test(printed)) return printed
      await delay(20)
    }
    throw new Error(`The execution does not show ${wanted}.`)
  }
  const first = await started()
  await first.client.invoke('order', {}, { InvocationType: 'Event', DurableExecutionName: 'order-1' })
  const waiting = await shown(/callback \S+[\s\S]*InvocationCompleted/)
  expect(waiting).not.toContain('has changed')
  await first.platform.stop()
  // A file that the function imports is a part of its code.
  writeFileSync(join(path, 'answer.mjs'), 'export const answer = 22')
  const second = await started()
  const [, callback = ''] = /callback (\S+)/.exec(waiting)!
  expect(await signalbox(path, 'execution', 'callback', callback, '--result', '"paid"')).toMatchObject({
    exitCode: 0,
  })
  const ended = await shown(/: SUCCEEDED/)
  expect(ended).toMatch(/The code of order has changed once since it began, last at \S+ \S+\./)
  expect(notices.filter(text => text.includes('goes on with other code'))).toEqual([
    'Execution order-1 of order goes on with other code than before. A step that has another place or name now is not found.',
  ])
  await second.platform.stop()
})
