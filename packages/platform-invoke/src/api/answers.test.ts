import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { invokePlatform } from '../testing/invoke-platform.ts'

const { log: print } = console
afterEach(() => {
  console.log = print
})

/** Starts a platform with one function in a process of its own. */
async function platformOf(code: string, settings: { timeout?: number; memory?: number } = {}) {
  const folder = temporaryFolder()
  const module = join(folder.path, 'work.mjs')
  writeFileSync(module, code)
  // On a busy machine, a result of megabytes takes longer than the default limit.
  const setup = await invokePlatform({ functions: { work: { module, timeout: 60, ...settings } } })
  return {
    url: setup.url,
    async call(event: unknown = {}) {
      const { payload, FunctionError, StatusCode, LogResult, $metadata } = await setup.invoke('work', event, {
        LogType: 'Tail',
      })
      const log = Buffer.from(LogResult ?? '', 'base64').toString()
      return { payload, FunctionError, StatusCode, log, requestId: $metadata.requestId! }
    },
    async [Symbol.asyncDispose]() {
      await setup[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

it('a client gets the trace of an error, without the frames of Node and of the platform', async () => {
  await using setup = await platformOf(
    'export const handler = () => { throw new TypeError("no") }\nconst unused = 1\n',
  )
  const { payload, FunctionError, StatusCode } = await setup.call()
  expect({ FunctionError, StatusCode }).toEqual({ FunctionError: 'Unhandled', StatusCode: 200 })
  expect(payload).toEqual({
    errorType: 'TypeError',
    errorMessage: 'no',
    trace: ['TypeError: no', expect.stringMatching(/^ {4}at .*work\.mjs:1:\d+\)?$/)],
  })
})

it.each([
  ['a string', '"just text"', 'just text'],
  ['nothing', 'undefined', 'undefined'],
])('a client gets an empty trace of %s that was thrown', async (_what, thrown, errorMessage) => {
  await using setup = await platformOf(`export const handler = () => { throw ${thrown} }`)
  expect((await setup.call()).payload).toEqual({ errorType: 'Error', errorMessage, trace: [] })
})

it('a function in the process of the platform has a trace, too', async () => {
  await using setup = await invokePlatform({
    functions: {
      late: {
        async handler() {
          await undefined
          throw new RangeError('far')
        },
      },
    },
  })
  expect((await setup.invoke('late')).payload).toMatchObject({
    errorType: 'RangeError',
    trace: ['RangeError: far', expect.stringContaining('answers.test.ts')],
  })
})

it('a client gets the sentence of AWS Lambda for a function that takes too long', async () => {
  await using setup = await platformOf(
    'export const handler = () => new Promise(() => setInterval(() => {}, 1e6))',
    {
      timeout: 1.5,
    },
  )
  const { payload, FunctionError, log, requestId } = await setup.call()
  const sentence = expect.stringMatching(
    new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ${requestId} Task timed out after 1.50 seconds$`),
  )
  expect(payload).toEqual({ errorType: 'Sandbox.Timedout', errorMessage: sentence })
  expect(FunctionError).toBe('Unhandled')
  const lines = log.split('\n')
  expect(lines[1]).toEqual(sentence)
  expect(lines[3]).toMatch(/\tStatus: timeout\t$/)
})

it.each([
  ['exits with a status', 'process.exit(3)', 'Runtime exited with error: exit status 3'],
  ['exits with status 0', 'process.exit(0)', 'Runtime exited without providing a reason'],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', 'Runtime exited with error: signal: killed'],
])('a client gets the sentence of AWS Lambda for a function that %s', async (_what, code, why) => {
  await using setup = await platformOf(`export const handler = () => new Promise(() => ${code})`)
  const { payload, FunctionError, log, requestId } = await setup.call()
  expect(payload).toEqual({
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: ${why}`,
  })
  expect(FunctionError).toBe('Unhandled')
  expect(log).toMatch(/\tStatus: error\tError Type: Runtime\.ExitError\t\n$/)
})

it('a client gets Function.ResponseSizeTooLarge for a result of more than 6,291,556 bytes', async () => {
  await using setup = await platformOf('export const handler = ({ size }) => "x".repeat(size)')
  // The quotation marks of the JSON text count, too.
  const { payload } = await setup.call({ size: 6_291_554 })
  expect(payload).toHaveLength(6_291_554)
  expect(await setup.call({ size: 6_291_555 })).toMatchObject({
    FunctionError: 'Unhandled',
    payload: {
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    },
  })
})

it('the log is between the lines START, END and REPORT, with the memory of the function', async () => {
  await using setup = await platformOf(
    'export const handler = ({ fails }) => { console.log("one\\ntwo"); if (fails) throw new Error("no") }',
    { memory: 512 },
  )
  const { log, requestId } = await setup.call()
  const [start, one, two, end, report, rest] = log.split('\n')
  expect([start, one, two, end, rest]).toEqual([
    `START RequestId: ${requestId} Version: $LATEST`,
    'one',
    'two',
    `END RequestId: ${requestId}`,
    '',
  ])
  const [, duration, billed] = new RegExp(
    `^REPORT RequestId: ${requestId}\tDuration: (\\d+\\.\\d\\d) ms\tBilled Duration: (\\d+) ms\tMemory Size: 512 MB\t$`,
  ).exec(report!)!
  expect(Number(billed)).toBe(Math.ceil(Number(duration)))
  const failed = await setup.call({ fails: true })
  expect(failed.log).toContain('\ntwo\nError: no\n')
  expect(failed.log).toMatch(/\nEND RequestId: .*\nREPORT .*MB\t\n$/)
})

it('a client gets the last 4 KB of a long log', async () => {
  console.log = () => {}
  await using setup = await invokePlatform({
    functions: { talks: { handler: () => console.log('x'.repeat(5000)) } },
  })
  const { LogResult } = await setup.invoke('talks', {}, { LogType: 'Tail' })
  const log = Buffer.from(LogResult!, 'base64').toString()
  expect(log).toMatch(/^x+\nEND RequestId: .*\nREPORT RequestId: .*\n$/)
  expect(log).toHaveLength(4096)
  await expect(setup.invoke('talks', {}, { LogType: 'tail' as never })).rejects.toMatchObject({
    ...{ name: 'InvalidParameterValueException', message: 'logType must be one of None, Tail.' },
  })
})

it.each([
  ['{"a": 1', /json: Could not parse payload into json: .*(?:Expected|end of JSON)/],
  ['not JSON', /json: Could not parse payload into json: .*Unexpected token/],
  [Buffer.from([0x22, 0xff, 0x22]), /json: Could not parse payload into json: Invalid UTF-8$/],
])('a client learns why its payload is not JSON (%p)', async (Payload, reason) => {
  await using setup = await invokePlatform({ functions: { work: { handler: () => 1 } } })
  await expect(setup.invoke('work', undefined, { Payload })).rejects.toMatchObject({
    name: 'InvalidRequestContentException',
    message: expect.stringMatching(reason),
  })
})

it('a function of another platform keeps the description of its failure', async () => {
  await using far = await platformOf('export const handler = () => process.exit(3)')
  const lambda = { functionName: 'work', region: 'local', endpoint: far.url }
  await using near = await invokePlatform({ functions: { work: { lambda } } })
  expect(await near.invoke('work')).toMatchObject({
    FunctionError: 'Unhandled',
    payload: {
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(
        /^RequestId: [\da-f-]{36} Error: Runtime exited with error: exit status 3$/,
      ),
    },
  })
})
