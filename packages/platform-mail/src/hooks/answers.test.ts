import { describe, expect, it } from '@jest/globals'
import type { TestDecision } from '../testing/filter-work.ts'
import {
  askHook,
  type HookMail,
  harakaRequest,
  mtaHookRequest,
  openSmtpdRequest,
  stalwartRequest,
} from '../testing/hook-requests.ts'
import { type TestHooksOptions, testHooks } from '../testing/test-hooks.ts'

const [drop, junk, inbox, deliver] = (['DROP', 'MOVE_TO_JUNK', 'BYPASS_SPAM_CHECK', 'DEFAULT'] as const).map(
  (type): TestDecision => ({ type }),
) as [TestDecision, TestDecision, TestDecision, TestDecision]
const bounce = (bounceMessage: string): TestDecision => ({ type: 'BOUNCE', parameters: { bounceMessage } })

type Decisions = { readonly [name: string]: TestDecision }
interface Options extends TestHooksOptions {
  readonly mail?: HookMail
}

const requests = {
  stalwart: stalwartRequest,
  mta: (mail: HookMail) => mtaHookRequest('/mta-hooks/01/hooks/id', mail),
  haraka: harakaRequest,
  openSmtpd: openSmtpdRequest,
} as const

/** Asks about a mail to the named people of `office.example`. */
async function answered(
  kind: keyof typeof requests,
  decisions: Decisions,
  { mail = {}, ...options }: Options = {},
) {
  await using hooks = await testHooks(address => decisions[address.split('@')[0]!]!, options)
  const to = Object.keys(decisions).map(name => `${name}@office.example`)
  const { status, json } = await askHook(hooks.url, requests[kind]({ to, ...mail }))
  return { status, json, passed: hooks.passed.length }
}

const flags = (...values: readonly string[]): Options => ({
  mail: { headers: values.map(value => ['x-spam-FLAG', ` ${value}`] as const) },
})
const junkSubaddress = { hooks: { junkSubaddress: 'junk' } }
const office = (name: string) => `${name}@office.example`

describe("Stalwart's hook", () => {
  const json = async (decisions: Decisions, options?: Options) =>
    (await answered('stalwart', decisions, options)).json

  it('accepts, discards and refuses', async () => {
    expect(await answered('stalwart', { ann: deliver, bob: 'open' })).toEqual({
      ...{ status: 200, json: { action: 'accept', modifications: [] }, passed: 1 },
    })
    expect(await answered('stalwart', { ann: drop })).toEqual({
      status: 200,
      json: { action: 'discard' },
      passed: 1,
    })
    expect(await answered('stalwart', { ann: bounce('One\n250 two %') })).toEqual({
      ...{ status: 200, passed: 0 },
      json: { action: 'reject', response: { status: 550, message: '5.7.1 One 250 two %' } },
    })
  })

  it('removes and adds recipients with the spelling of the request', async () => {
    expect(await json({ ANN: drop, bob: deliver }, { added: ['archive@office.example'] })).toEqual({
      action: 'accept',
      modifications: [
        { type: 'deleteRecipient', value: office('ANN') },
        { type: 'addRecipient', value: office('archive') },
      ],
    })
    const to = [office('ann'), office('Ann'), office('bob')]
    const both = await json({ ann: drop, Ann: drop, bob: deliver }, { mail: { to } })
    expect(both.modifications.map(({ value }: { value: string }) => value)).toEqual(to.slice(0, 2))
  })

  it('moves the mail of some recipients to a subaddress', async () => {
    expect((await json({ ann: junk, bob: deliver }, junkSubaddress)).modifications).toEqual([
      { type: 'deleteRecipient', value: office('ann') },
      { type: 'addRecipient', value: office('ann+junk') },
    ])
  })

  it('sets the spam flag, and removes the flags of the sender, the last one first', async () => {
    expect((await json({ ann: junk }, flags('NO', 'no'))).modifications).toEqual([
      { type: 'deleteHeader', index: 2, name: 'X-Spam-Flag' },
      { type: 'deleteHeader', index: 1, name: 'X-Spam-Flag' },
      { type: 'addHeader', name: 'X-Spam-Flag', value: 'YES' },
    ])
    expect((await json({ ann: deliver }, flags('YES'))).modifications).toEqual([])
    expect((await json({ ann: inbox }, flags('YES'))).modifications).toHaveLength(1)
  })
})

describe('an MTA hook', () => {
  it('continues, discards and refuses', async () => {
    expect(await answered('mta', { ann: deliver })).toEqual({ status: 204, json: undefined, passed: 1 })
    expect((await answered('mta', { ann: drop })).json).toEqual({
      set: [{ path: '/action', value: 'discard' }],
    })
    expect((await answered('mta', { ann: bounce('No\nnever') })).json).toEqual({
      set: [
        { path: '/action', value: 'reject' },
        { path: '/response', value: { code: 550, enhancedCode: '5.7.1', message: 'No never' } },
      ],
    })
  })

  it('adds behind what the request has, and deletes from the end', async () => {
    const options = { ...junkSubaddress, ...flags('YES', 'YES'), added: [office('archive')] }
    const decisions = { ann: drop, bob: inbox, cyd: drop, dan: deliver }
    expect((await answered('mta', decisions, options)).json).toEqual({
      add: [
        { path: '/envelope/to', value: { address: office('dan+junk'), parameters: {} } },
        { path: '/envelope/to', value: { address: office('archive'), parameters: {} } },
      ],
      delete: [3, 2, 0]
        .map(at => ({ path: `/envelope/to/${at}` }))
        .concat([4, 3].map(at => ({ path: `/message/headers/${at}` }))),
    })
    expect((await answered('mta', { ann: junk }, flags('NO'))).json).toEqual({
      add: [{ path: '/message/headers', value: { name: 'X-Spam-Flag', value: 'YES' } }],
      delete: [{ path: '/message/headers/3' }],
    })
  })
})

describe('POST /checkv2', () => {
  it('lets a mail pass', async () => {
    expect(await answered('haraka', { ann: deliver, bob: 'open' })).toEqual({
      ...{ status: 200, passed: 1 },
      json: {
        ...{
          is_skipped: false,
          action: 'no action',
          score: 0,
          required_score: 15,
          symbols: {},
          messages: {},
        },
      },
    })
  })

  it('refuses, for good and for now, with texts without a status', async () => {
    expect((await answered('haraka', { ann: bounce('Left\nin May') })).json).toMatchObject({
      ...{ action: 'reject', score: 15, messages: { smtp_message: 'Left in May' } },
      symbols: { SIGNALBOX_BOUNCE: { name: 'SIGNALBOX_BOUNCE', score: 15 } },
    })
    expect((await answered('openSmtpd', { ann: 'later' })).json).toMatchObject({
      ...{ action: 'soft reject', score: 0, symbols: {} },
      messages: { smtp_message: 'The mail cannot be checked now, try again later' },
    })
  })

  it('adds a spam flag, and removes the flags of the sender with their spelling', async () => {
    expect((await answered('haraka', { ann: junk })).json).toMatchObject({
      ...{
        action: 'add header',
        score: 6,
        required_score: 15,
        milter: { add_headers: { 'X-Spam-Flag': 'YES' } },
      },
      symbols: { SIGNALBOX_MOVE_TO_JUNK: { name: 'SIGNALBOX_MOVE_TO_JUNK', score: 6 } },
    })
    expect((await answered('openSmtpd', { ann: junk }, flags('no'))).json.milter).toEqual({
      ...{ remove_headers: { 'x-spam-FLAG': 0 }, add_headers: { 'X-Spam-Flag': 'YES' } },
    })
    const { json } = await answered('openSmtpd', { ann: inbox }, flags('YES'))
    expect([json.action, json.milter]).toEqual(['no action', { remove_headers: { 'x-spam-FLAG': 0 } }])
  })

  it('refuses what its clients cannot do, and leaves the inbox to all instead of a subaddress', async () => {
    const said = async (decisions: Decisions, options: Options = {}) => {
      const { json, passed } = await answered('haraka', decisions, options)
      return [json.action, json.messages.smtp_message, passed]
    }
    expect(await said({ ann: drop })).toEqual(['reject', 'The mail was refused', 0])
    expect(await said({ ann: drop, bob: deliver })).toEqual([
      'reject',
      'The mail was not delivered to anyone, because it is refused for some recipients',
      0,
    ])
    expect(await said({ ann: deliver }, { added: [office('archive')] })).toEqual([
      'soft reject',
      'The mail server does not let its filter change recipients',
      0,
    ])
    expect(await said({ ann: junk, bob: deliver }, junkSubaddress)).toEqual(['no action', undefined, 1])
  })
})
