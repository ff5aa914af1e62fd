import { expect, it } from '@jest/globals'
import { configProblems } from './config-problems.ts'

const functions = { ship: { handler: () => null, timeout: 20 } }
const lines = (queues: unknown, more: object = {}) =>
  configProblems({ functions, queues, ...more }).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`,
  )

it('finds nothing wrong with queues as they should be', () => {
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
          retention: 60,
          deadLetter: { queue: 'dead', maxReceiveCount: 3 },
          reportBatchItemFailures: false,
        },
        'orders.fifo': { function: 'ship', batchSize: 10, contentBasedDeduplication: true },
        plain: {},
        near: { engine: { endpoint: 'http://127.0.0.1:9324' } },
        far: { engine: { endpoint: 'https://queues.example', region: 'eu', allowRemote: true } },
      },
      { queueListener: { port: 0, host: '::1' } },
    ),
  ).toEqual([])
})

it.each<[string, unknown, readonly string[]]>([
  [
    'a batch of a FIFO queue that is too large',
    { 'a.fifo': { batchSize: 11 } },
    ['/queues/a.fifo/batchSize'],
  ],
  ['a window of a FIFO queue', { 'a.fifo': { batchWindow: 1 } }, ['/queues/a.fifo/batchWindow']],
  ['more than 10 messages without a window', { a: { batchSize: 11 } }, ['/queues/a/batchWindow']],
  ['a batch that nobody could carry', { a: { batchSize: 10_001, batchWindow: 1 } }, ['/queues/a/batchSize']],
  ['a window that is too long', { a: { batchWindow: 301 } }, ['/queues/a/batchWindow']],
  [
    'deduplication of a standard queue',
    { a: { contentBasedDeduplication: true } },
    ['/queues/a/contentBasedDeduplication'],
  ],
  [
    'a visibility timeout that the function outlasts',
    { a: { function: 'ship', visibilityTimeout: 19 } },
    ['/queues/a/visibilityTimeout'],
  ],
  ['a function that is not there', { a: { function: 'shop' } }, ['/queues/a/function']],
  ['an unknown key', { a: { batchsize: 1 } }, ['/queues/a/batchsize']],
  [
    'a dead-letter queue that another engine keeps, of which the box would make one of its own',
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
    'dead letters of another kind',
    { 'a.fifo': { deadLetter: { queue: 'b', maxReceiveCount: 1 } } },
    ['/queues/a.fifo/deadLetter/queue'],
  ],
  [
    'a dead-letter queue with an odd name',
    { a: { deadLetter: { queue: '../b', maxReceiveCount: 1 } } },
    ['/queues/a/deadLetter/queue'],
  ],
  ['no maxReceiveCount', { a: { deadLetter: { queue: 'b' } } }, ['/queues/a/deadLetter/maxReceiveCount']],
  [
    'an engine elsewhere',
    { a: { engine: { endpoint: 'http://10.0.0.7:9324' } } },
    ['/queues/a/engine/allowRemote'],
  ],
  [
    'a name that looks like this machine',
    { a: { engine: { endpoint: 'http://127.0.0.1.example' } } },
    ['/queues/a/engine/allowRemote'],
  ],
  ['the provider itself', { a: { engine: { region: 'eu-central-1' } } }, ['/queues/a/engine/allowRemote']],
  [
    'attributes of a queue elsewhere',
    { a: { delay: 1, engine: { endpoint: 'http://localhost' } } },
    ['/queues/a/delay'],
  ],
  ['an odd name', { 'a.b': {} }, ['/queues/a.b']],
])('finds %s', (_, queues, pointers) => {
  expect(lines(queues).map(line => line.slice(0, line.indexOf(':')))).toEqual(pointers)
})

it('says why an engine elsewhere has to be allowed', () => {
  expect(lines({ a: { engine: { endpoint: 'http://10.0.0.7:9324' } } })).toEqual([
    '/queues/a/engine/allowRemote: true for an engine that is not on this machine, because whoever polls a queue takes its messages; nothing',
  ])
})
