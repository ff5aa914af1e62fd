import { expect, it } from '@jest/globals'
import { mailListener } from '../testing/mail-listener.ts'
import { smtpDialogue } from '../testing/smtp-dialogue.ts'

const stopping = { code: 421, text: '4.3.2 Server is stopping, try again later' }

it('a stopping listener closes each connection with 421, and accepts no more connections', async () => {
  await using setup = await mailListener()
  await using idle = await smtpDialogue(setup.url)
  await using sending = await setup.ready()
  sending.send('Subject: Hi\r\n')
  const stopped = setup.stop(60_000)
  for (const client of [idle, sending]) {
    expect(await client.next()).toEqual(stopping)
    expect(await client.next()).toBeUndefined()
  }
  await stopped
  await using late = await smtpDialogue(setup.url)
  expect(await late.next()).toBeUndefined()
  expect(setup.mails).toEqual([])
})

it('a stopping listener finishes storing a mail, and replies to it, before it closes the connection', async () => {
  let stored = () => {}
  const accept = () => new Promise<void>(resolve => (stored = resolve))
  await using setup = await mailListener({ accept })
  const clients = [await setup.ready(), await setup.ready()]
  const [silent, pipelining] = clients
  const storings: (() => void)[] = []
  for (const [client, behind] of [
    [silent!, ''],
    [pipelining!, 'MAIL FROM:<>\r\nRCPT TO:<bob@office.example>\r\nDATA\r\n.\r\n'],
  ] as const) {
    const before = stored
    client.send(`Subject: Hi\r\n.\r\n${behind}`)
    while (stored === before) await new Promise(resolve => setImmediate(resolve))
    storings.push(stored)
  }
  const stopped = setup.stop(60_000)
  for (const store of storings) store()
  for (const [index, client] of clients.entries()) {
    expect(await client.next()).toEqual({ code: 250, text: `2.0.0 Stored as mail-${index + 1}` })
    expect(await client.next()).toEqual(stopping)
    expect(await client.next()).toBeUndefined()
  }
  await stopped
  expect(setup.mails).toHaveLength(2)
})

it('a stopping listener closes all connections when the grace period is over', async () => {
  let isAsked = false
  const accept = () => {
    isAsked = true
    return new Promise<void>(() => {})
  }
  await using setup = await mailListener({ accept })
  await using client = await setup.ready()
  client.send('.\r\n')
  while (!isAsked) await new Promise(resolve => setImmediate(resolve))
  const stopped = setup.stop(5000)
  await setup.clock.advance(5000)
  await stopped
  expect(await client.next()).toBeUndefined()
})

it('a listener can stop even if a client does not close its connection', async () => {
  await using setup = await mailListener()
  await using client = await smtpDialogue(setup.url)
  client.socket.allowHalfOpen = true
  await setup.stop(60_000)
  expect(await client.next()).toEqual(stopping)
})

it('a listener can be stopped twice', async () => {
  await using setup = await mailListener()
  const stops = await Promise.all([setup.stop(60_000), setup.stop(60_000)])
  expect(stops).toHaveLength(2)
  // This shows that the timer of the grace period was cancelled.
  expect(setup.clock.waiting).toBe(0)
  await expect(smtpDialogue(setup.url).then(client => client.next())).resolves.toBeUndefined()
})
