import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { mailStorage, type NewMail } from '@signalbox/platform-mail/store'
import { queueStorage } from '@signalbox/platform-queue/store'
import { systemRandom } from '@signalbox/platform-runtime'
import { postgresEngine } from './postgres-engine.ts'
import { testServer } from './testing/server-suite.ts'

const { options, query } = testServer()

const program = fileURLToPath(new URL('./testing/platform-to-pause.ts', import.meta.url))

const rule = {
  ...{ direction: 'INBOUND', functionName: 'sort', mode: 'sync', timeout: 1, fallback: 'DEFAULT' },
} as NewMail['invocations'][number]['rule']

/** Returns a mail that waits for an invocation or for its delivery. */
function mailFor(waitsFor: 'invocation' | 'delivery', id: string): NewMail {
  const isUndecided = waitsFor === 'invocation'
  const recipient = { address: 'bob@office.example', direction: 'INBOUND', why: '' } as const
  return {
    ...{
      id,
      receivedAt: Date.now(),
      from: '',
      author: '',
      subject: id,
      spam: false,
      report: false,
      utf8: false,
    },
    raw: Buffer.from('Subject: x\r\n\r\n'),
    recipients: [
      isUndecided
        ? { ...recipient, state: 'undecided', invocation: 'i-1' }
        : { ...recipient, state: 'delivering', destination: 'inbox' },
    ],
    invocations: isUndecided ? [{ id: 'i-1', rule }] : [],
  }
}

it('a platform that resumes after others have taken over its leases and claims changes nothing', async () => {
  const shared = options()
  const engine = await postgresEngine(shared, { clock: undefined })
  const context = { clock: systemClock, random: systemRandom, notice: () => {} }
  const queues = await engine.opener(queueStorage)(context)
  const events = await engine.opener(eventStorage)()
  const { store: mails } = await engine.opener(mailStorage)()
  await queues.createQueue('orders.fifo')
  await queues.send('orders.fifo', [{ body: 'first', group: 'g', deduplicationId: '1' }])
  await events.put({ queue: 'work', key: 'e-1', data: '1' }, Date.now())
  await mails.accept(mailFor('invocation', 'm-1'))
  await mails.accept(mailFor('delivery', 'm-2'))
  await mails.accept(mailFor('delivery', 'm-3'))

  const paused = fork(program, [shared.url, shared.schema, '500'], {
    execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  })
  try {
    expect((await once(paused, 'message'))[0]).toEqual(['first', '1', 1, ['m-2', 'm-3']])
    paused.kill('SIGSTOP')
    // This platform takes over the message when its lease has expired by the database clock.
    const [message] = await queues.receive('orders.fifo', { max: 1, wait: 20_000 })
    expect(message).toMatchObject({ body: 'first', receiveCount: 2 })
    // Claims of work last as long as the heartbeats of their platform.
    const now = Date.now()
    const setAliveUntil = (time: number) =>
      query(`update ${shared.schema}.platforms set alive_until = $1 where process = $2`, [time, paused.pid])
    await setAliveUntil(Number.MAX_SAFE_INTEGER)
    expect((await events.claim('work', now, 10)).work).toEqual([])
    expect((await mails.claimInvocations('sort', now, 10)).work).toEqual([])
    expect((await mails.claimDeliveries('mailbox', now, 10)).work).toEqual([])
    /** Claims work of the paused platform, whose last heartbeat may still be on its way. */
    const takenOver = async <Work>(claim: () => Promise<{ readonly work: readonly Work[] }>) => {
      for (;;) {
        await setAliveUntil(0)
        const { work } = await claim()
        if (work.length > 0) return work
      }
    }
    const [event] = await takenOver(() => events.claim('work', now, 10))
    const invocations = await takenOver(() => mails.claimInvocations('sort', now, 10))
    const deliveries = await takenOver(() => mails.claimDeliveries('mailbox', now, 10))
    expect(event).toMatchObject({ key: 'e-1', tries: 2 })
    expect(invocations).toMatchObject([{ mail: 'm-1', attempts: 0 }])
    expect(deliveries).toMatchObject([
      { mail: 'm-2', repeated: true },
      { mail: 'm-3', repeated: true },
    ])

    paused.send('go on')
    paused.kill('SIGCONT')
    expect((await once(paused, 'message'))[0]).toEqual([
      'INVALID_PARAMETER',
      'RECEIPT_HANDLE_EXPIRED',
      false,
      false,
    ])
    await once(paused, 'exit')
    // The message, the event and the mails still belong to this platform.
    expect(await queues.depth('orders.fifo')).toMatchObject({ visible: 0, inFlight: 1 })
    expect(await queues.receive('orders.fifo', { max: 1, wait: 0 })).toEqual([])
    expect((await events.claim('work', Date.now(), 10)).work).toEqual([])
    expect(await queues.deleteMessages('orders.fifo', [message!.receiptHandle])).toEqual([undefined])
    expect(await events.finish(event!, Date.now())).toBe(true)
    expect((await mails.claimInvocations('sort', Date.now(), 10)).work).toEqual([])
    expect((await mails.claimDeliveries('mailbox', Date.now(), 10)).work).toEqual([])
    const statesOf = async () =>
      (await mails.states())
        .map(({ id, recipients }) => [id, recipients[0]!.state, recipients[0]!.attempts])
        .sort()
    expect(await statesOf()).toEqual([
      ['m-1', 'undecided', 0],
      ['m-2', 'delivering', 0],
      ['m-3', 'delivering', 0],
    ])
    const result = (
      work: (typeof deliveries | typeof invocations)[number],
      state: 'delivered' | 'bounced',
    ) => ({
      dispositions: work.recipients.map(({ id }) => ({ recipient: id, state, why: '' })),
      report: undefined,
    })
    const conclusion = { ...result(invocations[0]!, 'bounced'), added: [] }
    await mails.concludeInvocation(invocations[0]!, conclusion, now)
    for (const delivery of deliveries)
      await mails.concludeDelivery(delivery, 1, result(delivery, 'delivered'), now, now)
    expect(await statesOf()).toEqual([
      ['m-1', 'bounced', 0],
      ['m-2', 'delivered', 1],
      ['m-3', 'delivered', 1],
    ])
  } finally {
    paused.kill('SIGKILL')
    await queues.close()
    await events.close()
    await mails.close()
    await engine.close()
  }
})
