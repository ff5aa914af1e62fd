import { describe, expect, it } from '@jest/globals'
import { mailListener, opening } from '../../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../../testing/smtp-dialogue.ts'

describe('the reply to a mail (RFC 5321, 6.1)', () => {
  it('is 250 only after the mail is stored', async () => {
    let stored = () => {}
    const accept = () => new Promise<void>(resolve => (stored = resolve))
    await using setup = await mailListener({ accept })
    await using client = await setup.ready()
    client.send('Subject: Hi\r\n\r\n.\r\nNOOP\r\n')
    const reply = client.next()
    const early = await Promise.race([reply, new Promise(resolve => setTimeout(resolve, 50, 'nothing'))])
    expect(early).toBe('nothing')
    stored()
    expect(await reply).toEqual({ code: 250, text: '2.0.0 Stored as mail-1' })
    expect(await client.next()).toEqual({ code: 250, text: '2.0.0 OK' })
  })

  it('is 451 4.3.0 when the mail cannot be stored, and only the operator learns the reason', async () => {
    const accept = () => Promise.reject(new Error('SELECT secret FROM /var/box'))
    await using setup = await mailListener({ accept })
    const replies = await smtpReplies(setup.url, ...opening, '.', 'NOOP')
    expect(replies.slice(-2)).toEqual([
      '451 4.3.0 The mail could not be stored, try again later',
      '250 2.0.0 OK',
    ])
    expect(setup.notices).toEqual(['A mail could not be stored: SELECT secret FROM /var/box'])
  })

  it.each([
    ['ENOSPC', { code: 'ENOSPC' }],
    ['STORAGE_FULL', { code: 'STORAGE_FULL' }],
    ['SQLITE_FULL', { code: 'ERR_SQLITE_ERROR', errcode: 13 }],
  ])('is 452 4.3.1 when storing the mail fails with %s', async (_name, reason) => {
    const accept = () => Promise.reject(Object.assign(new Error('full'), reason))
    await using setup = await mailListener({ accept })
    expect((await smtpReplies(setup.url, ...opening, '.')).at(-1)).toBe(
      '452 4.3.1 No space for the mail, try again later',
    )
  })

  it('is 451 for an incomplete mail, which is not stored', async () => {
    await using setup = await mailListener()
    const client = await setup.ready()
    client.send('Subject: Hi\r\n\r\nHel')
    client.socket.destroy()
    const other = await setup.ready()
    client.send('lo')
    other.send('half')
    expect(await other.finish()).toEqual([
      { code: 451, text: '4.4.2 Input ended in the middle of a command or mail' },
    ])
    expect(setup.mails).toEqual([])
  })
})

describe('clients that half-close their connection', () => {
  it('still get all replies, and 451 for an incomplete command', async () => {
    await using setup = await mailListener()
    await using client = await smtpDialogue(setup.url)
    client.send('NOOP\r\nVRFY bob')
    expect(await client.finish()).toEqual([
      { code: 250, text: '2.0.0 OK' },
      { code: 451, text: '4.4.2 Input ended in the middle of a command or mail' },
    ])
  })
})

describe('clients that disconnect', () => {
  const stages = [
    ['before the greeting', ''],
    ['after EHLO', 'EHLO x\r\n'],
    ['after MAIL', `${opening.slice(0, 2).join('\r\n')}\r\n`],
    ['within the data', `${opening.join('\r\n')}\r\nHel`],
  ] as const

  it.each(stages)('%s do not affect other clients', async (_stage, said) => {
    await using setup = await mailListener()
    await using other = await smtpDialogue(setup.url)
    for (const breakOff of ['resetAndDestroy', 'destroy'] as const) {
      const client = await smtpDialogue(setup.url, said !== '')
      client.send(said)
      await other.say('NOOP')
      client.socket[breakOff]()
    }
    expect(await other.say('NOOP')).toBe('250 2.0.0 OK')
    expect([setup.mails, setup.notices]).toEqual([[], []])
  })

  it('do not interrupt the server while it stores their mail', async () => {
    let stored: (() => void) | undefined
    const accept = () => new Promise<void>(resolve => (stored = resolve))
    await using setup = await mailListener({ accept })
    await using other = await smtpDialogue(setup.url)
    const client = await setup.ready()
    client.send('.\r\n')
    while (stored === undefined) await other.say('NOOP')
    client.socket.resetAndDestroy()
    await other.say('NOOP')
    stored()
    expect(await other.say('NOOP')).toBe('250 2.0.0 OK')
    expect(setup.mails).toHaveLength(1)
  })
})

it('a mail counts towards the memory limit until it is stored', async () => {
  let store = () => {}
  const stored = new Promise<void>(resolve => {
    store = resolve
  })
  const accept = () => stored
  await using setup = await mailListener({ accept, bounds: { memory: 10_000 } })
  await using first = await setup.ready()
  await using second = await setup.ready()
  const data = `${'x'.repeat(5998)}\r\n.\r\n`
  first.send(data)
  await smtpReplies(setup.url, 'NOOP')
  second.send(data)
  expect(await second.next()).toMatchObject({ code: 452, text: expect.stringContaining('4.3.1 Too many') })
  store()
  expect(await first.next()).toMatchObject({ code: 250 })
  expect((await smtpReplies(setup.url, ...opening, 'x'.repeat(5998), '.')).at(-1)).toBe(
    '250 2.0.0 Stored as mail-2',
  )
})
