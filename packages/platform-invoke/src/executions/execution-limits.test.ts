import {
  GetDurableExecutionStateCommand,
  type GetDurableExecutionStateCommandOutput,
  type LambdaClient,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { checkpoints, type DurableEvent, durablePlatform } from '../testing/durable-platform.ts'

/** Returns a function that does one of these things in each invocation, and promises that they are done. */
function inTurn(...acts: ((event: DurableEvent, client: LambdaClient) => Promise<object>)[]) {
  let invocations = 0
  const resolvers: (() => void)[] = []
  const ended = acts.map(() => new Promise<void>(resolve => resolvers.push(resolve)))
  const order = async (event: DurableEvent, client: LambdaClient) => {
    const at = invocations++
    try {
      return (await acts[at]!(event, client)) as { readonly Status: string }
    } finally {
      resolvers[at]!()
    }
  }
  return { order, ended }
}

const rest = { Id: 'rest', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 1 } } as const

/** Returns a step that succeeds with a payload. */
const succeed = (Id: string, Payload: string) => ({ Id, Type: 'STEP', Action: 'SUCCEED', Payload }) as const

/** A page of an answer, with its size. */
interface Page {
  readonly bytes: number
  readonly NextMarker?: string
  readonly Operations?: readonly { readonly Id: string }[]
  readonly Events?: readonly { readonly EventId: number }[]
}

/** The maximum size of an answer of the service, in bytes. */
const answerLimit = 6 * 1024 * 1024

it('an execution has at most 3000 operations, which it reads in pages', async () => {
  let read: readonly unknown[] = []
  let refusal = ''
  const { order, ended } = inTurn(
    async (event, client) => {
      const send = checkpoints(event, client)
      const batch = (from: number, length: number) =>
        Array.from({ length }, (_, at) => ({
          ...({ Id: `s${from + at}`, Type: 'STEP', Action: 'SUCCEED', Payload: 'x'.repeat(2000) } as const),
        }))
      for (let from = 1; from < 2751; from += 250) await send(...batch(from, 250))
      await send(...batch(2751, 248), rest)
      refusal = await send({ Id: 'more', Type: 'STEP', Action: 'START' }).then(
        () => '',
        (error: Error) => error.message,
      )
      return { Status: 'PENDING' }
    },
    async ({ DurableExecutionArn, CheckpointToken, InitialExecutionState }) => {
      const { Operations, NextMarker } = InitialExecutionState
      const all: { readonly Id?: string | undefined }[] = [...Operations]
      for (let Marker: string | undefined = NextMarker; Marker; ) {
        const page: GetDurableExecutionStateCommandOutput = await under.lambda.send(
          new GetDurableExecutionStateCommand({
            ...{ DurableExecutionArn, CheckpointToken, Marker, MaxItems: 300 },
          }),
        )
        all.push(...page.Operations!)
        Marker = page.NextMarker
      }
      read = all.map(({ Id }) => Id)
      return { Status: 'SUCCEEDED' }
    },
  )
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await ended[0]
  await under.clock.advance(1000)
  await ended[1]
  await under.until(async () => (await under.statusOf(arn)) === 'SUCCEEDED')
  expect(refusal).toBe('An execution has at most 3000 operations.')
  expect(read).toHaveLength(3000)
  expect(new Set(read).size).toBe(3000)
})

it('a page of operations or of the history holds what fits into an answer, and is never empty', async () => {
  // A text of 256 KiB in UTF-8, which has a third as many characters.
  const payload = '\u20ac'.repeat(87_381)
  const ids = Array.from({ length: 60 }, (_, at) => `s${at}`)
  const read: string[] = []
  const sizes: number[] = []
  const { order, ended } = inTurn(
    async (event, client) => {
      const send = checkpoints(event, client)
      for (const id of ids) await send(succeed(id, payload))
      await send(rest)
      return { Status: 'PENDING' }
    },
    async ({ DurableExecutionArn, CheckpointToken, InitialExecutionState: state }) => {
      sizes.push(Buffer.byteLength(JSON.stringify(state)))
      read.push(...state.Operations.map(({ Id }) => Id!))
      const pages = await pagesOf(
        `${encodeURIComponent(DurableExecutionArn)}/state?CheckpointToken=${CheckpointToken}`,
        state.NextMarker,
      )
      for (const { bytes, Operations } of pages) {
        sizes.push(bytes)
        read.push(...Operations!.map(({ Id }) => Id!))
      }
      return { Status: 'SUCCEEDED' }
    },
  )
  await using under = await durablePlatform(order)
  const pagesOf = async (path: string, first: string | undefined): Promise<readonly Page[]> => {
    const marked = first === undefined ? '' : `&Marker=${first}`
    const text = await (await fetch(`${under.url}/2025-12-01/durable-executions/${path}${marked}`)).text()
    const page: Page = { ...JSON.parse(text), bytes: Buffer.byteLength(text) }
    return page.NextMarker === undefined ? [page] : [page, ...(await pagesOf(path, page.NextMarker))]
  }
  const arn = await under.start({})
  await ended[0]
  await under.clock.advance(1000)
  await ended[1]
  await under.until(async () => (await under.statusOf(arn)) === 'SUCCEEDED')
  expect(read.slice(1)).toEqual([...ids, 'rest'])
  expect(sizes.length).toBeGreaterThan(3)
  expect(Math.max(...sizes)).toBeLessThan(answerLimit)

  const { EventId: last } = (
    await pagesOf(`${encodeURIComponent(arn)}/history?ReverseOrder=true`, undefined)
  )[0]!.Events![0]!
  for (const order of ['false', 'true']) {
    const path = `${encodeURIComponent(arn)}/history?IncludeExecutionData=true&MaxItems=1000&ReverseOrder=${order}`
    const pages = await pagesOf(path, undefined)
    const numbers = pages.flatMap(({ Events }) => Events!.map(({ EventId }) => EventId))
    expect(order === 'true' ? numbers.reverse() : numbers).toEqual(
      Array.from({ length: last }, (_, at) => at + 1),
    )
    expect(pages.length).toBeGreaterThan(3)
    expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThan(answerLimit)
    expect(Math.min(...pages.map(({ Events }) => Events!.length))).toBeGreaterThan(0)
  }
})

it('an execution keeps at most 100 MB, and what was refused leaves nothing', async () => {
  const payload = 'x'.repeat(256 * 1024)
  let refused: unknown
  let made = 0
  const { order, ended } = inTurn(async (event, client) => {
    const send = checkpoints(event, client)
    try {
      for (; made < 500; made += 2) await send(succeed(`a${made}`, payload), succeed(`b${made}`, payload))
    } catch (error) {
      refused = error
    }
    return { Status: 'SUCCEEDED', Result: '"done"' }
  })
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await ended[0]
  await under.until(async () => (await under.statusOf(arn)) !== 'RUNNING')
  // The input has two bytes of the 400 times 256 KiB.
  expect(made).toBe(398)
  expect(refused).toMatchObject({
    name: 'InvalidParameterValueException',
    message: 'An execution keeps at most 104857600 bytes.',
  })
  expect(await under.statusOf(arn)).toBe('SUCCEEDED')
})
