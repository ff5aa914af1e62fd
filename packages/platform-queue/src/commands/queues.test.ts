import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createPlatform, signalbox, signalboxStopped } from '../testing/queue-program.ts'

const config = {
  functions: {},
  queues: {
    orders: { visibilityTimeout: 0, deadLetter: { queue: 'orders-dead', maxReceiveCount: 1 } },
    'orders.fifo': {},
    far: { engine: { endpoint: 'http://127.0.0.1:1' } },
  },
  queueListener: { port: 0 },
}

function project() {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  return { ...folder, signalbox: (...args: string[]) => signalbox(folder.path, ...args) }
}

async function platformIn(path: string) {
  const platform = createPlatform(config, { root: path })
  const [address] = await platform.start()
  return { url: address!.url, [Symbol.asyncDispose]: () => platform.stop() }
}

const messageId = /^[0-9a-f-]{36}$/

describe('the commands send, queues and redrive', () => {
  it('work with a running platform', async () => {
    using folder = project()
    await using _running = await platformIn(folder.path)
    const { signalbox } = folder
    expect(await signalbox('queues', '--json')).toMatchObject({ exitCode: 0 })
    expect((await signalbox('send', 'orders', 'one', '--attribute', 'k=v=w')).printed).toMatch(messageId)
    expect((await signalbox('send', 'orders.fifo', 'one', '--group', 'g')).printed).toMatch(messageId)
    const lines = (await signalbox('queues', '--json')).printed.split('\n').map(line => JSON.parse(line))
    expect(lines).toMatchObject([
      { name: 'orders', visible: 1, inFlight: 0, delayed: 0, deadLetters: 0 },
      { name: 'orders-dead', visible: 0 },
      { name: 'orders.fifo', visible: 1 },
    ])
    expect((await signalbox('redrive', 'orders-dead')).printed).toBe(
      '0 messages moved back from orders-dead.',
    )
    for (const command of [['redrive'], ['send', 'x']] as const)
      expect(await signalbox(command[0], 'orders-daed', ...command.slice(1))).toMatchObject({
        exitCode: 2,
        printedErrors: 'There is no queue "orders-daed". Did you mean orders-dead?',
      })
  })

  it('work without a running platform, and the next start handles the messages', async () => {
    using folder = project()
    const { signalbox } = folder
    expect((await signalbox('queues')).printed).toBe('There are no queues yet.')
    // A platform that is killed during its start leaves an empty file.
    mkdirSync(join(folder.path, '.signalbox'))
    writeFileSync(join(folder.path, '.signalbox', 'queues.sqlite'), '')
    expect((await signalbox('queues')).printed).toBe('There are no queues yet.')
    {
      await using _running = await platformIn(folder.path)
    }
    expect((await signalbox('send', 'orders', 'one')).printed).toMatch(messageId)
    await using setup = await platformIn(folder.path)
    const call = async (operation: string, input: object) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${operation}`,
      }
      const response = await fetch(setup.url, { method: 'POST', headers, body: JSON.stringify(input) })
      return response.json() as Promise<{ Messages?: { Body: string }[] }>
    }
    const receive = () => call('ReceiveMessage', { QueueUrl: `${setup.url}/0/orders`, VisibilityTimeout: 0 })
    expect((await receive()).Messages).toMatchObject([{ Body: 'one' }])
    expect(await receive()).toEqual({})
    expect((await signalbox('queues')).printed).toMatch(/^orders +0 +0 +0 +- +1$/m)
    const redriven = await signalbox('redrive', 'orders-dead')
    expect(redriven.printed).toBe('1 message moved back from orders-dead.')
    expect(redriven.progress.slice(-2)).toEqual(['1 message moved back so far …', ''])
    expect((await receive()).Messages).toMatchObject([{ Body: 'one' }])
  })

  it.each([
    ['with', true],
    ['without', false],
  ])(
    'can be interrupted %s a running platform, and an interrupted redrive leaves no task behind',
    async (_word, isRunning) => {
      using folder = project()
      const { signalbox, path } = folder
      {
        await using setup = await platformIn(path)
        const call = (operation: string, input: object) =>
          fetch(setup.url, {
            method: 'POST',
            headers: {
              'content-type': 'application/x-amz-json-1.0',
              'x-amz-target': `AmazonSQS.${operation}`,
            },
            body: JSON.stringify(input),
          })
        for (const body of ['one', 'two', 'three']) await signalbox('send', 'orders', body)
        // The second receive request moves the messages to the dead-letter queue.
        for (let i = 0; i < 2; i++)
          await call('ReceiveMessage', { QueueUrl: `${setup.url}/0/orders`, MaxNumberOfMessages: 10 })
      }
      await using _running = isRunning ? await platformIn(path) : undefined
      expect(await signalboxStopped(path, 'redrive', 'orders-dead', '--per-second', '1')).toMatchObject({
        exitCode: 130,
        printed: expect.stringMatching(
          /^Stopped: [01] messages? moved back from orders-dead\. The others stay there\.$/,
        ),
      })
      expect(await signalbox('redrive', 'orders-dead')).toMatchObject({
        exitCode: 0,
        printed: expect.stringMatching(/^[23] messages moved back from orders-dead\.$/),
      })
      expect((await signalbox('queues')).printed).toMatch(/^orders +3 +0 +0 .* +0$/m)
    },
  )

  it('create the configured queues if the platform has not run yet', async () => {
    using folder = project()
    expect((await folder.signalbox('send', 'orders', 'one')).printed).toMatch(messageId)
    expect((await folder.signalbox('queues')).printed).toMatch(/^orders +1 +0 +0 .* +0$/m)
  })

  it('show messages with "signalbox queues peek", which leaves them unchanged', async () => {
    using folder = project()
    const { signalbox } = folder
    await signalbox('send', 'orders', 'one')
    await signalbox('send', 'orders', 'x'.repeat(300))
    expect((await signalbox('queues', 'peek', 'orders', '--limit', '1')).printed).toMatch(
      /^[0-9a-f-]{36} {2}sent 0 s ago, received 0 times {2}"one"$/,
    )
    const printed = (await signalbox('queues', 'peek', 'orders', '--json')).printed.split('\n')
    expect(printed.map(line => JSON.parse(line))).toMatchObject([{ body: 'one' }, { body: 'x'.repeat(300) }])
    expect((await signalbox('queues')).printed).toMatch(/^orders +2 +0 +0 /m)
    expect((await signalbox('queues', 'peek', 'orders-dead')).printed).toBe(
      'The queue orders-dead has no messages.',
    )
  })

  it('wait for other commands that send at the same time', async () => {
    using folder = project()
    const sends = Array.from({ length: 8 }, (_, i) => folder.signalbox('send', 'orders', String(i)))
    expect((await Promise.all(sends)).map(({ exitCode }) => exitCode)).toEqual(Array(8).fill(0))
    expect((await folder.signalbox('queues')).printed).toMatch(/^orders +8 /m)
  })

  it('report that a running platform has no queues, even if an earlier platform had queues', async () => {
    using folder = project()
    {
      await using _running = await platformIn(folder.path)
    }
    const platform = createPlatform({ functions: {} }, { root: folder.path })
    await platform.start()
    expect(await folder.signalbox('send', 'orders', 'one')).toMatchObject({
      exitCode: 2,
      printedErrors: 'The running platform has no queues.',
    })
    await platform.stop()
  })

  it.each([
    ['send', 'send needs a queue and a body.'],
    ['send orders x y', 'send takes no argument "y".'],
    ['send orders x --attribute k', '--attribute k: expected NAME=VALUE.'],
    ['send order x', 'There is no queue "order". Did you mean orders?'],
    ['send orders.fifo x', 'send needs a --group for a FIFO queue.\nUsage: '],
    ['send far x', 'The queue far is kept by another engine, http://127.0.0.1:1. Use'],
    ['redrive far', 'The queue far is kept by another engine'],
    ['redrive', 'redrive needs a queue.'],
    ['redrive orders', 'orders is not the dead-letter queue of another queue.'],
    [
      'queues orders',
      'queues takes no argument "orders". To see messages, run: signalbox queues peek orders',
    ],
    ['redrive orders-dead --per-second 0', '--per-second 0: expected a whole number from 1 to 500.'],
    ['queues peek', 'queues peek needs a queue.'],
    ['queues peek orders --limit 0', '--limit 0: expected a whole number above 0.'],
    ['queues x', 'queues takes no argument "x".'],
  ])('refuse the invalid command "signalbox %s", even if no platform is running', async (line, sentence) => {
    using folder = project()
    {
      await using _running = await platformIn(folder.path)
      expect(await folder.signalbox(...line.split(' '))).toMatchObject({ exitCode: 2, printed: '' })
    }
    const { exitCode, printedErrors } = await folder.signalbox(...line.split(' '))
    expect(exitCode).toBe(2)
    expect(printedErrors).toContain(sentence)
  })
})
