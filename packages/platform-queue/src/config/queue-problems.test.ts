import { expect, it } from '@jest/globals'
import { sqsClient } from '../testing/queue-engines.ts'
import { configProblems, createPlatform } from '../testing/queue-program.ts'

const functions = { ship: { handler: () => null, timeout: 20 }, bill: { handler: () => null, timeout: 60 } }
const lines = (queues: unknown, more: object = {}) =>
  configProblems({ functions, queues, ...more }).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`,
  )

it('configProblems() accepts valid queues', () => {
  expect(
    lines(
      {
        orders: {
          function: 'ship',
          batchSize: 10_000,
          batchWindow: 300,
          maximumConcurrency: 4,
          visibilityTimeout: 320,
          delay: 1,
          retentionPeriod: 60,
          deadLetter: { queue: 'dead', maxReceiveCount: 3 },
          reportBatchItemFailures: false,
        },
        filtered: { function: 'ship', filter: { body: { status: ['paid', { prefix: 'sent' }] } } },
        shared: {
          functions: [
            { function: 'ship', filter: [{ body: ['a'] }, { $or: [{ messageId: ['b'] }] }] },
            { function: 'bill', batchSize: 20, maximumConcurrency: 1, reportBatchItemFailures: true },
          ],
          batchWindow: 1,
          maximumConcurrency: 3,
          visibilityTimeout: 61,
        },
        'orders.fifo': { function: 'ship', batchSize: 10, contentBasedDeduplication: true },
        plain: {},
        ['q'.repeat(80)]: { deadLetter: { queue: 'd'.repeat(80), maxReceiveCount: 1 } },
        [`${'q'.repeat(75)}.fifo`]: {},
        near: { engine: { endpoint: 'http://127.0.0.1:9324' } },
        far: { engine: { endpoint: 'https://queues.example', region: 'eu', allowRemote: true } },
      },
      { queueListener: { port: 0, host: '::1' }, region: 'eu-central-1', account: '123456789012' },
    ),
  ).toEqual([])
})

it.each<[string, unknown, readonly string[]]>([
  ['a batch size above 10 for a FIFO queue', { 'a.fifo': { batchSize: 11 } }, ['/queues/a.fifo/batchSize']],
  ['a batch window of a FIFO queue', { 'a.fifo': { batchWindow: 1 } }, ['/queues/a.fifo/batchWindow']],
  ['a batch size above 10 without a batch window', { a: { batchSize: 11 } }, ['/queues/a/batchWindow']],
  ['a batch size above the maximum', { a: { batchSize: 10_001, batchWindow: 1 } }, ['/queues/a/batchSize']],
  ['a batch window above the maximum', { a: { batchWindow: 301 } }, ['/queues/a/batchWindow']],
  [
    'content-based deduplication of a standard queue',
    { a: { contentBasedDeduplication: true } },
    ['/queues/a/contentBasedDeduplication'],
  ],
  [
    'a visibility timeout below the timeout of the function',
    { a: { function: 'ship', visibilityTimeout: 19 } },
    ['/queues/a/visibilityTimeout'],
  ],
  ['an unknown function', { a: { function: 'shop' } }, ['/queues/a/function']],
  [
    'an unknown function in a list',
    { a: { functions: [{ function: 'ship' }, { function: 'shop' }] } },
    ['/queues/a/functions/1/function'],
  ],
  ['a list entry without a function', { a: { functions: [{}] } }, ['/queues/a/functions/0/function']],
  [
    'an unknown key of a list entry',
    { a: { functions: [{ function: 'ship', window: 1 }] } },
    ['/queues/a/functions/0/window'],
  ],
  ['an empty list of functions', { a: { functions: [] } }, ['/queues/a/functions']],
  ['functions that are not a list', { a: { functions: { ship: {} } } }, ['/queues/a/functions']],
  [
    'the key function beside the key functions',
    { a: { function: 'ship', filter: { body: ['x'] }, functions: [{ function: 'bill' }] } },
    ['/queues/a/function', '/queues/a/filter'],
  ],
  [
    'a visibility timeout below the timeout of the slowest function',
    { a: { visibilityTimeout: 30, functions: [{ function: 'ship' }, { function: 'bill' }] } },
    ['/queues/a/visibilityTimeout'],
  ],
  [
    'a batch size above 10 of a list entry without a batch window',
    { a: { functions: [{ function: 'ship', batchSize: 11 }] } },
    ['/queues/a/batchWindow'],
  ],
  ['a filter without a function', { a: { filter: { body: ['x'] } } }, ['/queues/a/filter']],
  [
    'an invalid filter',
    { a: { function: 'ship', filter: { body: { price: [{ numeric: ['>', 'much'] }] } } } },
    ['/queues/a/filter/body/price/0/numeric'],
  ],
  [
    'an invalid filter of a list entry',
    { a: { functions: [{ function: 'ship', filter: [{ body: [] }] }] } },
    ['/queues/a/functions/0/filter/0/body'],
  ],
  ['an unknown key of a queue', { a: { batchsize: 1 } }, ['/queues/a/batchsize']],
  [
    'a dead-letter queue of an external engine',
    {
      a: { deadLetter: { queue: 'near', maxReceiveCount: 1 } },
      near: { engine: { endpoint: 'http://127.0.0.1:9324' } },
    },
    ['/queues/a/deadLetter/queue'],
  ],
  [
    'a queue as its own dead-letter queue',
    { a: { deadLetter: { queue: 'a', maxReceiveCount: 1 } } },
    ['/queues/a/deadLetter/queue'],
  ],
  [
    'a standard queue as the dead-letter queue of a FIFO queue',
    { 'a.fifo': { deadLetter: { queue: 'b', maxReceiveCount: 1 } } },
    ['/queues/a.fifo/deadLetter/queue'],
  ],
  [
    'an invalid name of a dead-letter queue',
    { a: { deadLetter: { queue: '../b', maxReceiveCount: 1 } } },
    ['/queues/a/deadLetter/queue'],
  ],
  [
    'a dead-letter queue without maxReceiveCount',
    { a: { deadLetter: { queue: 'b' } } },
    ['/queues/a/deadLetter/maxReceiveCount'],
  ],
  [
    'an engine on another machine without allowRemote',
    { a: { engine: { endpoint: 'http://10.0.0.7:9324' } } },
    ['/queues/a/engine/allowRemote'],
  ],
  [
    'an engine whose host name begins with a name of this machine',
    { a: { engine: { endpoint: 'http://127.0.0.1.example' } } },
    ['/queues/a/engine/allowRemote'],
  ],
  [
    'the engine of a cloud region without allowRemote',
    { a: { engine: { region: 'eu-central-1' } } },
    ['/queues/a/engine/allowRemote'],
  ],
  [
    'attributes of a queue of an external engine',
    { a: { delay: 1, engine: { endpoint: 'http://localhost' } } },
    ['/queues/a/delay'],
  ],
  ['an invalid queue name', { 'a.b': {} }, ['/queues/a.b']],
  [
    'queue names of more than 80 characters',
    { ['q'.repeat(81)]: {}, [`${'q'.repeat(76)}.fifo`]: {} },
    [`/queues/${'q'.repeat(81)}`, `/queues/${'q'.repeat(76)}.fifo`],
  ],
])('configProblems() reports %s', (_, queues, pointers) => {
  expect(lines(queues).map(line => line.slice(0, line.indexOf(':')))).toEqual(pointers)
})

it('a configuration with only queues needs no functions', async () => {
  expect(configProblems({ queues: { a: {} } })).toEqual([])
  expect(configProblems({ queueListener: {} })).toEqual([])
  const platform = createPlatform({ queues: { a: {} }, queueListener: { port: 0 }, dataDir: ':memory:' })
  const [address] = await platform.start()
  const sqs = sqsClient(address!.url)
  expect((await sqs.listQueues({})).QueueUrls).toEqual([`${address!.url}/000000000000/a`])
  sqs.destroy()
  await platform.stop()
})

it.each([
  ['region', 'eu west'],
  ['region', ''],
  ['account', '1'],
  ['account', 123456789012],
])('configProblems() reports that the %s %j is invalid', (key, value) => {
  expect(lines({}, { [key]: value })).toEqual([expect.stringMatching(`^/${key}: `)])
})

it('configProblems() says which names a queue can have', () => {
  expect(lines({ 'a.b': {} })).toEqual([
    '/queues/a.b: a name of letters, digits, - and _, 80 at most; a FIFO queue ends in .fifo; "a.b"',
  ])
})

it('configProblems() says why a remote engine needs allowRemote', () => {
  expect(lines({ a: { engine: { endpoint: 'http://10.0.0.7:9324' } } })).toEqual([
    '/queues/a/engine/allowRemote: true for an engine that is not on this machine, because polling a queue takes its messages; nothing',
  ])
})
