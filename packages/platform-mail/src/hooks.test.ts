import { expect, it } from '@jest/globals'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import {
  askHook,
  type HookMail,
  harakaRequest,
  mtaHookRequest,
  registerMtaHook,
  stalwartRequest,
} from './testing/hook-requests.ts'
import { type MailAnswer, type MailSetupOptions, mailSetup, until } from './testing/mail-setup.ts'
import { hooksSecret } from './testing/verdict-cases.ts'

const bob = 'bob@office.example'
const toAll = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })

const hooksSetup = (answer: MailAnswer, options: MailSetupOptions = {}) =>
  mailSetup(answer, { relay: 'keep', hooks: { port: 0, secret: hooksSecret }, ...options })

type Setup = Awaited<ReturnType<typeof mailSetup>>

/** Asks as Stalwart does. Returns the action, with the status of a refusal. */
async function ask({ urls }: Pick<Setup, 'urls'>, mail: HookMail = {}): Promise<string> {
  const { json } = await askHook(urls.hooks, stalwartRequest(mail))
  return json.response === undefined ? json.action : `${json.action} ${json.response.status}`
}

it('a mail server that asks over HTTP gets the decision of the function, and keeps the mail', async () => {
  let raw: Promise<Buffer | undefined> | undefined
  await using setup = await hooksSetup(event => {
    raw = setup.platform.mail.fetch(event.messageId)
    return toAll('DROP')
  })
  expect(setup.urls.hooks).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await ask(setup, { user: 'carol', tls: 'TLSv1_3' })).toBe('accept')
  expect(await ask(setup)).toBe('discard')
  expect(setup.events).toMatchObject([
    {
      envelope: { mailFrom: { address: 'ann@far.example' }, recipients: [{ address: bob }] },
      ...{ sender: { address: 'ann@far.example' }, subject: 'Hello', flowDirection: 'INBOUND' },
      client: { address: '192.0.2.7', name: 'mx.far.example', helo: 'client.example' },
    },
  ])
  expect(String(await raw)).toMatch(
    /^From: Ann <ann@far\.example>\r\nSubject: Hello\r\n[\s\S]*\r\n\r\nHi!\r\n$/,
  )
  expect(await setup.platform.mail.fetch(setup.events[0]!.messageId)).toBeUndefined()
  expect(await setup.states()).toEqual([])
})

it('mail of a client that has authenticated is outbound', async () => {
  await using setup = await hooksSetup(
    ({ flowDirection }) => toAll(flowDirection === 'OUTBOUND' ? 'DROP' : 'DEFAULT'),
    { outbound: {} },
  )
  expect(await ask(setup)).toBe('accept')
  expect(await ask(setup, { user: 'carol' })).toBe('discard')
  expect(setup.events.map(({ client }) => client?.user)).toEqual([undefined, 'carol'])
})

it('the same mail has the same decision through each hook', async () => {
  await using setup = await hooksSetup(() => toAll('BOUNCE'))
  expect(await ask(setup)).toBe('reject 550')
  const endpoint = await registerMtaHook(setup.urls.hooks)
  const { json } = await askHook(setup.urls.hooks, mtaHookRequest(endpoint))
  expect(json.set[0].value).toBe('reject')
  expect((await askHook(setup.urls.hooks, harakaRequest())).json.action).toBe('reject')
  expect(setup.events).toHaveLength(1)
})

it('a failing function makes the client of a mail server come again until the timeout of the rule', async () => {
  await using setup = await hooksSetup(
    () => {
      throw new Error('broken')
    },
    { inbound: { timeout: 10, fallback: 'MOVE_TO_JUNK' } },
  )
  expect(await ask(setup)).toBe('reject 451')
  expect((await askHook(setup.urls.hooks, harakaRequest())).json.action).toBe('soft reject')
  await setup.clock.advance(10 * 60_000)
  expect((await askHook(setup.urls.hooks, harakaRequest())).json.action).toBe('add header')
})

it('an asynchronous function gets the mail that a mail server accepts, and can fetch it afterwards', async () => {
  await using setup = await hooksSetup(() => null, { inbound: { mode: 'async' } })
  expect(await ask(setup)).toBe('accept')
  await setup.calm()
  await until(() => setup.events.length === 1)
  const [{ messageId, client }] = setup.events as [MailEvent]
  expect(client).toMatchObject({ address: '192.0.2.7' })
  expect(String(await setup.platform.mail.fetch(messageId))).toMatch(/^From: Ann/)
  expect(await setup.recipientReports(messageId)).toMatchObject({
    [bob]: { state: 'relayed', why: 'the mail server that asked has it' },
  })
})

it('a platform that stops makes the client of a mail server come again', async () => {
  await using setup = await hooksSetup(() => new Promise(() => {}))
  const answer = ask(setup)
  await until(() => setup.events.length === 1)
  const stopped = setup.platform.stop()
  expect(await answer).toBe('reject 451')
  await setup.clock.advance(60_000)
  await stopped
})
