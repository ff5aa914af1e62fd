import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { queueStorage } from '@signalbox/platform-queue/store'
import { systemRandom } from '@signalbox/platform-runtime'
import { postgresEngine } from './postgres-engine.ts'
import { testServer } from './testing/server-suite.ts'

const { options } = testServer()

const program = fileURLToPath(new URL('./testing/platform-to-pause.ts', import.meta.url))

it('a platform that was paused until its lease expired changes nothing when it continues', async () => {
  const shared = options()
  const engine = await postgresEngine(shared, { clock: undefined })
  const context = { clock: systemClock, random: systemRandom, notice: () => {} }
  const queues = await engine.opener(queueStorage)(context)
  const events = await engine.opener(eventStorage)(context)
  await queues.createQueue('orders.fifo')
  await queues.send('orders.fifo', [{ body: 'first', group: 'g', deduplicationId: '1' }])
  await events.add({ id: 'e-1', functionName: 'work', payload: '1', clientContext: undefined })

  const paused = fork(program, [shared.url, shared.schema, '500'], {
    execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  })
  try {
    expect((await once(paused, 'message'))[0]).toEqual(['first', '1'])
    paused.kill('SIGSTOP')
    // When the leases have expired by the database clock, this platform takes over the message and the event.
    const [message] = await queues.receive('orders.fifo', { max: 1, wait: 20_000 })
    expect(message).toMatchObject({ body: 'first', receiveCount: 2 })
    let [event] = await events.take('work', { max: 1, lease: 60_000 })
    while (event === undefined) [event] = await events.take('work', { max: 1, lease: 60_000 })
    expect(event).toMatchObject({ id: 'e-1', attempts: 0 })

    paused.send('go on')
    paused.kill('SIGCONT')
    expect((await once(paused, 'message'))[0]).toEqual([
      'INVALID_PARAMETER',
      'RECEIPT_HANDLE_EXPIRED',
      false,
      false,
    ])
    await once(paused, 'exit')
    // Now the message and the event belong to this platform.
    expect(await queues.depth('orders.fifo')).toMatchObject({ visible: 0, inFlight: 1 })
    expect(await queues.receive('orders.fifo', { max: 1, wait: 0 })).toEqual([])
    expect(await events.take('work', { max: 1, lease: 60_000 })).toEqual([])
    expect(await queues.deleteMessages('orders.fifo', [message!.receiptHandle])).toEqual([undefined])
    expect(await events.remove(event)).toBe(true)
  } finally {
    paused.kill('SIGKILL')
    await queues.close()
    await events.close()
    await engine.close()
  }
}, 60_000)
