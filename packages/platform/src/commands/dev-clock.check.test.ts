import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { spawnCommand } from '../testing/spawned-command.ts'

/** A function that fails for `fail`, hangs for `hang`, and otherwise returns the time of its own clock. */
const work = `
export const handler = async (event: { does: string }) => {
  if (event.does === 'fail') throw new Error('no')
  if (event.does === 'hang') await new Promise(() => setInterval(() => {}, 1000))
  return Date.now()
}`

function project(control: string) {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'work.ts'), work)
  writeFileSync(
    join(folder.path, 'signalbox.config.ts'),
    `export default {
      functions: { work: { module: './work.ts', timeout: 1 } },
      invoke: { port: 0 },
      control: ${control},
    }`,
  )
  return folder
}

/** A durable function that waits for three days. */
const order = `
export const handler = async ({ DurableExecutionArn, CheckpointToken, InitialExecutionState }) => {
  if (InitialExecutionState.Operations.some(({ Id, Status }) => Id === 'rest' && Status === 'SUCCEEDED'))
    return { Status: 'SUCCEEDED', Result: '"rested"' }
  const Updates = [{ Id: 'rest', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 259200 } }]
  const path = '/2025-12-01/durable-executions/' + encodeURIComponent(DurableExecutionArn) + '/checkpoint'
  const body = JSON.stringify({ CheckpointToken, Updates })
  const answer = await fetch(process.env.AWS_ENDPOINT_URL_LAMBDA + path, { method: 'POST', body })
  if (answer.status !== 200) throw new Error(await answer.text())
  return { Status: 'PENDING' }
}`

describe('signalbox dev --clock manual', () => {
  it('moves the waits of executions', async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'order.mjs'), order)
    writeFileSync(
      join(folder.path, 'signalbox.config.ts'),
      `export default {
        functions: { order: { module: './order.mjs', durable: { timeout: 864000 } } },
        invoke: { port: 0 },
        control: { port: 0, testing: true },
      }`,
    )
    await using dev = spawnCommand(['dev', '--clock', 'manual'], folder.path)
    const [, control = ''] = await dev.prints(/control: +(http:\S+)\n/)
    const [, api = ''] = await dev.prints(/invoke: +(http:\S+)\n/)
    await dev.prints(/Watching/)
    const ask = async (method: string, path: string, body?: object) =>
      (await (
        await fetch(`${control}/testing${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
      ).json()) as never
    const start = () =>
      fetch(`${api}/2015-03-31/functions/order/invocations`, {
        ...{ method: 'POST', body: '{}', headers: { 'x-amz-invocation-type': 'Event' } },
      })
    await start()
    const called: readonly unknown[] = await ask('GET', '/invocations?function=order&wait=30')
    expect(called).toHaveLength(1)
    const statuses = async () =>
      ((await ask('GET', '/executions')) as { readonly status: string }[]).map(({ status }) => status)
    await ask('POST', '/clock', { advance: 258_000_000 })
    expect(await statuses()).toEqual(['RUNNING'])
    // On a slow disk, the wait began a little later.
    for (let more = 0; more < 5 && (await statuses()).includes('RUNNING'); more++)
      await ask('POST', '/clock', { advance: 1_200_000 })
    expect(await statuses()).toEqual(['SUCCEEDED'])

    await start()
    const executions = (await ask('GET', '/executions')) as readonly { id: string; status: string }[]
    const { id } = executions.find(({ status }) => status === 'RUNNING')!
    expect(await ask('POST', `/executions/${id}/end`)).toMatchObject({
      ...{ status: 'SUCCEEDED', result: '"rested"' },
    })
  })

  it('moves retries by a request, kills a function that hangs after its real time-out, and ends at SIGINT', async () => {
    using folder = project('{ port: 0, testing: true }')
    await using dev = spawnCommand(['dev', '--clock', 'manual'], folder.path)
    const [, control = ''] = await dev.prints(/control: +(http:\S+)\n/)
    const [, api = ''] = await dev.prints(/invoke: +(http:\S+)\n/)
    await dev.prints(/Watching/)
    const invoke = (does: string, type: string) =>
      fetch(`${api}/2015-03-31/functions/work/invocations`, {
        method: 'POST',
        headers: { 'x-amz-invocation-type': type },
        body: JSON.stringify({ does }),
      })
    const called = async (query: string) =>
      (await (await fetch(`${control}/testing/invocations?${query}`)).json()) as {
        readonly attempt: number
        readonly failure: { readonly kind: string } | null
      }[]
    const advance = (ms: number) =>
      fetch(`${control}/testing/clock`, { method: 'POST', body: JSON.stringify({ advance: ms }) })

    await invoke('fail', 'Event')
    expect(await called('wait=30')).toHaveLength(1)
    // Each attempt takes real time, and the delays of one minute and of two begin after it.
    await advance(60_000 + 120_000)
    // On a slow disk, the second delay begins only after this.
    for (let more = 0; more < 5 && (await called('')).length < 3; more++) await advance(120_000)
    expect((await called('')).map(({ attempt }) => attempt)).toEqual([1, 2, 3])

    await fetch(`${control}/testing/reset`, { method: 'POST' })
    expect(await called('')).toEqual([])
    const hung = await invoke('hang', 'RequestResponse')
    expect(await hung.text()).toContain('timed out after')
    expect(await called('wait=30')).toMatchObject([{ failure: { kind: 'timeout' } }])

    await advance(3_600_000)
    const own = Number(await (await invoke('tell', 'RequestResponse')).text())
    expect(Math.abs(own - Date.now())).toBeLessThan(60_000)
    dev.process.kill('SIGINT')
    expect(await dev.exit).toMatchObject({ code: 0 })
  })

  it.each([
    ['a configuration whose clock nothing can move', '{ port: 0 }', ['manual'], 'control: { testing: true }'],
    ['another value', '{ port: 0, testing: true }', ['fast'], '--clock takes manual, and not "fast".'],
  ])('refuses %s', async (_, control, value, text) => {
    using folder = project(control)
    await using dev = spawnCommand(['dev', '--clock', ...value], folder.path)
    const { code, printedErrors } = await dev.exit
    expect([code, printedErrors]).toEqual([2, expect.stringContaining(text)])
  })
})
