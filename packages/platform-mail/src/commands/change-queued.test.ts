import { expect, it } from '@jest/globals'
import { createPlatform } from '../testing/mail-program.ts'
import { mailProject } from '../testing/mail-project.ts'
import { until } from '../testing/mail-setup.ts'
import { no, otherServer } from '../testing/other-server.ts'

/**
 * Returns a running platform, its relay, and a function that runs commands in the platform's folder. The relay accepts
 * mail only while `relay.open` is true.
 */
async function setupWithRelay(answer?: () => unknown) {
  const relay = { open: false, asked: 0 }
  const server = await otherServer({
    onMailFrom(_address, _session, done) {
      relay.asked++
      done(relay.open ? null : no(451, '4.7.1 Not now'))
    },
  })
  const mail = {
    port: 0,
    domains: { 'office.example': { to: 'mailboxes' as const } },
    relay: { host: '127.0.0.1', port: server.port },
  }
  const project = mailProject({ mail })
  const rules = [{ direction: 'OUTBOUND' as const, function: 'sort' }]
  const control = { port: 0 }
  const config =
    answer === undefined
      ? { functions: {}, mail, control }
      : { functions: { sort: { handler: answer } }, mail: { ...mail, rules }, control }
  const platform = createPlatform(config, { root: project.path })
  await platform.start()
  const state = async (id: string) => (await platform.mail.states()).find(each => each.id === id)
  return {
    ...project,
    config,
    platform,
    relay,
    server,
    /** Sends an outbound mail, and waits for the first delivery attempt. */
    async queued(subject: string) {
      const [from, to] = ['ann@office.example', 'eve@far.example']
      const { asked } = relay
      const { printed: id } = await project.signalbox(
        'mail',
        'send',
        '--from',
        from,
        '--to',
        to,
        '--subject',
        subject,
      )
      await until(async () => relay.asked > asked && (await state(id))?.recipients[0]?.attempts === 1)
      return id
    },
    becomes: (id: string, expected: string) =>
      until(async () => (await state(id))?.recipients[0]?.state === expected),
    state,
    async [Symbol.asyncDispose]() {
      await platform.stop()
      await server[Symbol.asyncDispose]()
      project[Symbol.dispose]()
    },
  }
}

/** Returns a promise that a test resolves. */
function later() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

const toAll = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })

const subjects = (taken: readonly { readonly data: Buffer }[]) =>
  taken.map(({ data }) => /^Subject: (.*)\r$/m.exec(String(data))![1])

it('the command "mail flush" makes the running platform retry waiting deliveries immediately', async () => {
  await using setup = await setupWithRelay()
  const [one, two] = [await setup.queued('one'), await setup.queued('two')]
  setup.relay.open = true
  expect(await setup.signalbox('mail', 'flush', one)).toMatchObject({
    exitCode: 0,
    printed: `${one} flushed`,
    printedErrors: '',
  })
  await setup.becomes(one, 'relayed')
  expect(subjects(setup.server.taken)).toEqual(['one'])
  expect((await setup.signalbox('mail', 'flush', '--json')).printed).toBe(
    JSON.stringify({ id: two, done: 'flushed' }),
  )
  await setup.becomes(two, 'relayed')
  expect((await setup.signalbox('mail', 'flush')).printed).toBe('No mail waits for a delivery.')
  expect((await setup.signalbox('mail', 'flush', '--json')).printed).toBe('')
})

it('the command "mail hold" makes a mail wait until "mail release", even if all mail is flushed', async () => {
  await using setup = await setupWithRelay()
  const [one, two] = [await setup.queued('one'), await setup.queued('two')]
  expect((await setup.signalbox('mail', 'hold', one.slice(0, 13))).printed).toBe(`${one} held`)
  setup.relay.open = true
  expect((await setup.signalbox('mail', 'flush')).printed).toBe(`${two} flushed`)
  await setup.becomes(two, 'relayed')
  expect(subjects(setup.server.taken)).toEqual(['two'])
  expect(await setup.state(one)).toMatchObject({ held: true, recipients: [{ state: 'delivering' }] })
  expect((await setup.signalbox('mail', 'status')).printed).toMatch(/"one" \S+ \S+ held$/m)
  expect(await setup.signalbox('mail', 'flush', one)).toMatchObject({
    exitCode: 2,
    printedErrors: `The mail ${one} is held. Release it first.`,
  })
  expect((await setup.signalbox('mail', 'release', one)).printed).toBe(`${one} released`)
  expect(await setup.state(one)).toMatchObject({ held: false })
  expect((await setup.signalbox('mail', 'flush', one)).exitCode).toBe(0)
  await setup.becomes(one, 'relayed')
})

it('the command "mail delete" ends the delivery of a mail without a report to its sender', async () => {
  await using setup = await setupWithRelay()
  const [one, two] = [await setup.queued('one'), await setup.queued('two')]
  expect((await setup.signalbox('mail', 'delete', one, '--json')).printed).toBe(
    JSON.stringify({ id: one, done: 'deleted' }),
  )
  setup.relay.open = true
  await setup.signalbox('mail', 'flush')
  await setup.becomes(two, 'relayed')
  expect(subjects(setup.server.taken)).toEqual(['two'])
  expect(await setup.state(one)).toBeUndefined()
  expect(await setup.platform.mail.fetch(one)).toBeUndefined()
  expect(await setup.platform.mail.inbox()).toEqual([])
})

it('a mail that is held while its function is deciding is not delivered until it is released', async () => {
  const decide = later()
  await using setup = await setupWithRelay(() => decide.promise.then(() => toAll('DEFAULT')))
  setup.relay.open = true
  const args = ['--from', 'ann@office.example', '--to', 'eve@far.example']
  const { printed: id } = await setup.signalbox('mail', 'send', ...args)
  expect(await setup.signalbox('mail', 'flush', id)).toMatchObject({
    exitCode: 2,
    printedErrors: `The mail ${id} waits for a function, not for a delivery.`,
  })
  await setup.signalbox('mail', 'hold', id)
  decide.resolve()
  await setup.becomes(id, 'delivering')
  const { printed: other } = await setup.signalbox('mail', 'send', ...args)
  await setup.becomes(other, 'relayed')
  expect((await setup.state(id))!.recipients).toMatchObject([{ state: 'delivering', attempts: 0 }])
  await setup.signalbox('mail', 'release', id)
  await setup.becomes(id, 'relayed')
})

it('a mail that is deleted while its function is deciding stays deleted', async () => {
  const decide = later()
  await using setup = await setupWithRelay(() => decide.promise.then(() => toAll('BOUNCE')))
  const { printed: id } = await setup.signalbox(
    ...['mail', 'send', '--from', 'ann@office.example', '--to', 'eve@far.example'],
  )
  await setup.signalbox('mail', 'delete', id)
  decide.resolve()
  await until(async () => (await setup.platform.invocationLog.list()).length === 1)
  expect(await setup.platform.mail.states()).toEqual([])
})

it('queued mail can be changed while no platform is running', async () => {
  await using setup = await setupWithRelay()
  const [one, two] = [await setup.queued('one'), await setup.queued('two')]
  await setup.platform.stop()
  expect((await setup.signalbox('mail', 'delete', one)).exitCode).toBe(0)
  expect((await setup.signalbox('mail', 'flush')).printed).toBe(`${two} flushed`)
  setup.relay.open = true
  const next = createPlatform(setup.config, { root: setup.path })
  await using _stopped = { [Symbol.asyncDispose]: () => next.stop() }
  await next.start()
  await until(() => setup.server.taken.length === 1)
  expect(subjects(setup.server.taken)).toEqual(['two'])
})

it('a command with invalid arguments prints the reason, and changes no mail', async () => {
  await using setup = await setupWithRelay()
  const [one, two] = [await setup.queued('one'), await setup.queued('two')]
  const { printed: over } = await setup.signalbox(
    ...['mail', 'send', '--from', 'ann@office.example', '--to', 'bob@office.example'],
  )
  await setup.becomes(over, 'delivered')
  for (const [args, why] of [
    [['hold'], 'mail hold needs the id of a mail.'],
    [['delete'], 'mail delete needs the id of a mail.'],
    [['release', one], `The mail ${one} is not held.`],
    [['delete', 'x'], 'There is no mail whose id begins with "x". For all ids, run: signalbox mail status'],
    [['delete', ''], 'There is no mail whose id begins with "".'],
    [['delete', '%'], 'There is no mail whose id begins with "%".'],
    [['delete', one, 'x'], 'There is no mail whose id begins with "x".'],
    [['delete', over], `The mail ${over} is not queued: it waits for nothing.`],
    [['delete', one, '--all'], 'mail delete has no option --all.'],
  ] as const) {
    const result = await setup.signalbox('mail', ...args)
    expect(result).toMatchObject({ exitCode: 2, printed: '' })
    expect(result.printedErrors).toContain(why)
  }
  expect((await setup.platform.mail.states()).map(({ id }) => id).sort()).toEqual([one, two, over].sort())
  using none = mailProject()
  expect(await none.signalbox('mail', 'flush')).toMatchObject({
    exitCode: 2,
    printedErrors: 'There are no mails.',
  })
  expect((await none.signalbox('help', 'mail', 'flush')).printed).toContain('signalbox mail flush [ID…]')
  expect((await none.signalbox('mail', 'flush', '--help')).printed).toContain('signalbox mail flush [ID…]')
})
