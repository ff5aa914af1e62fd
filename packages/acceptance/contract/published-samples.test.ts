import assert from 'node:assert/strict'
import { describe, it } from '@jest/globals'
import { aws, awsDialect, awsRoute } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { byType, get, json, loadBalancer, post } from '@signalbox/load-balancer'
import { mailActions } from '@signalbox/mail-flow'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queuePlatformWith } from '@signalbox/platform-queue/testing/queue-platform'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { passThrough, userPool } from '@signalbox/user-pool'
import {
  customMessageEvent,
  preSignUpEvent,
  tokenGenerationEvent,
  userMigrationEvent,
} from '@signalbox/user-pool/testing'
import * as z from 'zod'
import { type Asked, answers, ask, isMalformed, ok } from './cases/http-sides.ts'
import {
  bob,
  carol,
  concludes,
  decision,
  isRefused,
  letOut,
  outbound,
  response,
} from './cases/mail-answers.ts'
import { isRefusedByThePlatform } from './cases/mail-recipients.ts'
import { accepted, concluded, invalid, returnedBy } from './cases/pool-sides.ts'
import { comesBack, listed, returning } from './cases/queue-answers.ts'
import type { Sides } from './contract-case.ts'
import { functionSetup } from './function-setup.ts'
import { mailSamples } from './published-mails.ts'
import { settingSamples } from './published-settings.ts'
import { replies, type Samples } from './published-sides.ts'

// Functions in the manner of guides of the service and of its users. Each runs with the plugin and on a platform.
const each = (family: string, samples: Samples) =>
  describe(`${family} as in guides and reports`, () => {
    describe.each(Object.entries(samples))('%s', (_name, sides) => {
      it('for a function', async () => void (await sides.function()))
      it('for the platform', async () => void (await sides.platform()))
    })
  })

const archive = 'archive@office.example'
const audit = 'audit@partner.example'
const usual = decision('DEFAULT')
const toAll = { [bob]: 'delivered', [carol]: 'delivered' }
const both = { to: [bob, carol] }
const plain = functionSetup((_event, answer) => answer)

/** A function that keeps a copy of each mail, with the builder. */
const withCopy = (copy: string) => (event: MailEvent) => {
  const actions = mailActions(event)
  actions.default([copy])
  return JSON.parse(JSON.stringify(actions.default().response()))
}

/** Returns a mail event without some of its fields, such as the samples that the service publishes. */
function eventWithout(...names: readonly string[]): object {
  const fields = Object.entries(mailEvent({ recipients: [bob] }))
  return Object.fromEntries(fields.filter(([name]) => !names.includes(name)))
}

/** Returns checks that a function and the platform take an event. */
const takes = (event: object): Sides => ({
  function: async () => assert.deepEqual(await letOut(event, undefined), response(usual)),
  platform: async () => assert.equal(await plain.refusal(event, response(usual)), undefined),
})

/** Returns checks that an event is refused. */
const refuses = (event: object, pointer: RegExp): Sides => ({
  function: () => assert.rejects(letOut(event, undefined), pointer),
  platform: async () => assert.notEqual(await plain.refusal(event, response(usual)), undefined),
})

each('Functions for mail', {
  'an archive beside the recipients of inbound mail': concludes(
    response(decision('DEFAULT', { recipients: [archive] }), usual),
    { [bob]: 'delivered', [archive]: 'delivered' },
  ),
  'the same archive with the builder': concludes(withCopy(archive), {
    [bob]: 'delivered',
    [archive]: 'delivered',
  }),
  'an auditor elsewhere beside the recipient of outbound mail': concludes(
    response(decision('DEFAULT', { recipients: [audit] }), usual),
    { [outbound.to[0]!]: 'delivered', [audit]: 'delivered' },
    outbound,
  ),
  'the same auditor with the builder': concludes(
    withCopy(audit),
    { [outbound.to[0]!]: 'delivered', [audit]: 'delivered' },
    outbound,
  ),
  'an auditor elsewhere for inbound mail': isRefusedByThePlatform([audit]),
  'a drop for a typing error in outbound mail': isRefused(
    response(decision('DROP', { recipients: ['dorra@far.example'] }), usual),
    /\/actions\/0\/recipients\/0/,
    outbound,
  ),
  'such a drop beside a subject of 256 characters': {
    function: () =>
      assert.rejects(
        letOut(
          mailEvent({ recipients: outbound.to, outbound: true, subject: 'x'.repeat(256) }),
          response(decision('DROP', { recipients: [audit] })),
        ),
        /\/actions\/0\/recipients\/0/,
      ),
    platform: async () =>
      assert.match(
        (await plain.refusal(
          mailEvent({ recipients: outbound.to, outbound: true, subject: 'x'.repeat(256) }),
          response(decision('DROP', { recipients: [audit] })),
        )) ?? '',
        /\/actions\/0\/recipients\/0/,
      ),
  },
  'one recipient taken out': concludes(
    response(usual, decision('DROP', { recipients: [carol] })),
    { ...toAll, [carol]: 'dropped' },
    both,
  ),
  'allRecipients "true"': concludes(
    response(decision('DEFAULT', { allRecipients: 'true' })),
    { [bob]: 'delivered' },
    { fallback: 'DROP' },
  ),
  'allRecipients "false" beside names': concludes(
    response(decision('DROP', { recipients: [bob], allRecipients: 'false' }), usual),
    { ...toAll, [bob]: 'dropped' },
    both,
  ),
  'an empty list of blocked recipients': concludes(
    response(decision('BOUNCE', { recipients: [] }), usual),
    toAll,
    both,
  ),
  'parameters and recipients that are null': concludes(
    { actions: [{ action: { type: 'DROP', parameters: null }, recipients: null, allRecipients: true }] },
    { [bob]: 'dropped' },
  ),
  'default: true instead of allRecipients': isRefused(
    response({ action: { type: 'DEFAULT' }, default: true }),
    /\/actions\/0\/default: expected allRecipients: true/,
  ),
  'recipients as in the event': isRefused(
    response(decision('DROP', { recipients: [{ address: bob }] })),
    /\/actions\/0\/recipients\/0/,
  ),
  'a mail that nobody sends on behalf of another': takes(eventWithout('sender')),
  'a sender without an address': takes({ ...eventWithout('sender'), sender: {} }),
  'a sample of the first version, without a direction': refuses(
    eventWithout('invocationId', 'flowDirection'),
    /\/flowDirection/,
  ),
  'a sample without an id of the invocation': refuses(eventWithout('invocationId'), /\/invocationId/),
  'a sample without an id of the mail': refuses(eventWithout('messageId'), /\/messageId/),
  'a report, which has no sender': takes(mailEvent({ recipients: [bob], from: '' })),
  'a field of a later version': takes({ ...mailEvent({ recipients: [bob] }), organizationId: 'm-7' }),
})

const tokens = tokenGenerationEvent()
const setClaim = (name: string) => ({
  claimsOverrideDetails: { claimsToAddOrOverride: { [name]: 'gold' } },
})
const claim = (name: string) => `/response/claimsOverrideDetails/claimsToAddOrOverride/${name}`
const migration = userMigrationEvent()

/** Fills in the response of its event, and returns the event, as nearly every published trigger does. */
const confirms = (event: { response?: object }) => {
  event.response = { ...event.response, autoConfirmUser: true }
  return event
}
const ofLaterVersion = { ...preSignUpEvent(), triggerSource: 'PreSignUp_Kiosk' }

each('Triggers', {
  'a claim of a tenant': accepted(tokens, setClaim('tenant')),
  'groups from a directory': accepted(tokens, {
    claimsOverrideDetails: { groupOverrideDetails: { groupsToOverride: ['readers'] } },
  }),
  'a claim that is kept out of the token': accepted(tokens, {
    claimsOverrideDetails: { claimsToSuppress: ['email', 'dev:stage'] },
  }),
  ...Object.fromEntries(
    [
      ['cognito:username', 'cognito:username'],
      ['cognito:groups', 'cognito:groups'],
      ['pool:tier', 'pool:tier'],
      ['client_id', 'client_id'],
      ['username', 'username'],
      ['event_id', 'event_id'],
      ['device_key', 'device_key'],
      ['version', 'version'],
      ['dev:stage', 'dev:stage'],
    ].map(([title, name]) => [`the claim ${title}`, invalid(tokens, setClaim(name!), claim(name!))]),
  ),
  'the claim scope, whose error names the field for scopes': invalid(
    tokens,
    setClaim('scope'),
    'scopesToAdd',
  ),
  'a migrated user with the id of the old directory': invalid(
    migration,
    { userAttributes: { sub: '17', email: 'kay@office.example' }, messageAction: 'SUPPRESS' },
    '/response/userAttributes/sub',
  ),
  'a migrated user with the old id in another attribute': accepted(migration, {
    userAttributes: { 'custom:old_id': '17', email: 'kay@office.example' },
    messageAction: 'SUPPRESS',
  }),
  'a colleague who is confirmed at once': accepted(preSignUpEvent(), {
    autoConfirmUser: true,
    autoVerifyEmail: true,
  }),
  'an event that comes back with its response': {
    async function() {
      const returned = (await returnedBy(preSignUpEvent(), event => confirms(event))) as { response: object }
      assert.equal('autoConfirmUser' in returned.response && returned.response.autoConfirmUser, true)
    },
    async platform() {
      const returning = functionSetup((event: object) => confirms(event))
      assert.equal((await returning.invoke(preSignUpEvent(), undefined)).verdict?.kind, 'accepted')
    },
  },
  'a trigger source of a later version': {
    async function() {
      const handler = signalbox(userPool({ otherwise: passThrough }))
      const returned = (await handler(structuredClone(ofLaterVersion) as never)) as typeof ofLaterVersion
      assert.equal(returned.triggerSource, 'PreSignUp_Kiosk')
    },
    // The platform of this version has no such trigger source, and no verdict on what it does not know.
    platform: async () => assert.equal((await concluded(ofLaterVersion, () => ({}))).verdict, undefined),
  },
  'a message of its own with the code': accepted(customMessageEvent(), {
    emailSubject: 'Your garden',
    emailMessage: 'Type {####} to open the gate.',
  }),
  'a message that forgot the code': invalid(
    customMessageEvent(),
    { emailMessage: 'Welcome to the garden.' },
    '/response/emailMessage',
  ),
})

const cookies = { ...ok, headers: { location: '/garden' }, cookies: ['bed=3; HttpOnly'] }
const inLists = { ...ok, multiValueHeaders: { 'set-cookie': ['bed=3', 'row=1'] } }
const inBoth = { ...inLists, headers: { 'x-bed': '3' } }
const open = { ...ok, headers: { 'x-open': true } }
const oneHeader = { ...ok, headers: { 'x-bed': '3' } }
const malformed = async (answer: object, multiValue = false) =>
  assert.equal((await ask(() => answer, { multiValue })).response.status, 502)

const text = z.string()
const lists = z.object({
  tag: z.array(text).optional(),
  kind: z.array(text).default(['tree']),
  near: z.union([text, z.array(text)]).optional(),
  beds: z.array(text).nullable().optional(),
  since: z.coerce.date().optional(),
})
const [formType, multipart] = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const
const search = loadBalancer([
  get('/plants', { query: lists }, ({ query }) => json(query)),
  post('/plants', { body: byType({ [formType]: lists, [multipart]: lists }) }, ({ body }) =>
    json(body.content),
  ),
])
const form = (body: string): Asked => ({
  ...{ method: 'POST', path: '/plants', body },
  lines: [`content-type: ${formType}`],
})
const keyed = loadBalancer([
  get('/', { headers: z.object({ 'X-Api-Key': text }) }, ({ headers }) => json(headers['X-Api-Key'])),
])
const failing = (thrown: unknown) =>
  loadBalancer(
    [
      get('/', () => {
        throw thrown
      }),
    ],
    { log: () => {} },
  )

each('Functions for requests', {
  'a query without any of its lists': replies(search, { path: '/plants' }, { kind: ['tree'] }),
  'a query with a value of each list': replies(
    search,
    { path: '/plants?tag=a&kind=b&near=c&beds=d' },
    { tag: ['a'], kind: ['b'], near: 'c', beds: ['d'] },
  ),
  'a query with two values, beside a date': replies(
    search,
    { path: '/plants?tag=a&tag=b&near=c&near=d&since=2026-05-01' },
    { tag: ['a', 'b'], kind: ['tree'], near: ['c', 'd'], since: '2026-05-01T00:00:00.000Z' },
  ),
  'a header whose name has capitals': replies(keyed, { lines: ['X-Api-Key: k'] }, 'k'),
  'a form with one value of a list': replies(search, form('tag=a'), { tag: ['a'], kind: ['tree'] }),
  'a form with the field of another list alone': replies(search, form('near=c'), {
    kind: ['tree'],
    near: 'c',
  }),
  'a multipart form whose boundary does not come': replies(
    search,
    { ...form('tag=a'), lines: [`content-type: ${multipart}; boundary=b`] },
    400,
  ),
  'a thrown Response': replies(failing(new Response('no', { status: 401 })), {}, 500),
  'a thrown object with a status': replies(failing({ statusCode: 403 }), {}, 500),
  'a handler with the types of AWS, as a route': replies(
    loadBalancer([
      get(
        '/',
        awsRoute(async ({ httpMethod }: { readonly httpMethod: string }) => ({
          ...{ statusCode: 200, body: JSON.stringify(httpMethod) },
        })) as never,
      ),
    ]),
    {},
    'GET',
  ),
  'a header that is true': {
    function: answers(open, { status: 200, lines: [['x-open', 'true']] }).function,
    platform: () => malformed(open),
  },
  'cookies in a list of their own': {
    function: isMalformed(cookies, /\/cookies: expected cookies in set-cookie headers/).function,
    platform: () => malformed(cookies),
  },
  'cookies in the lists of the other mode': {
    function: isMalformed(inLists, /\/headers: expected the headers here/).function,
    platform: () => malformed(inLists),
  },
  'headers in the map of the other mode': {
    // The plugin writes each header into the map that the mode reads.
    function: answers(oneHeader, { status: 200, lines: [['x-bed', '3']] }, { multiValue: true }).function,
    platform: () => malformed(oneHeader, true),
  },
  'both maps, with single headers': answers(inBoth, { status: 200, lines: [['x-bed', '3']] }),
  'both maps, with lists of headers': answers(
    inBoth,
    {
      status: 200,
      lines: [
        ['set-cookie', 'bed=3'],
        ['set-cookie', 'row=1'],
      ],
    },
    { multiValue: true },
  ),
})

const perMessage = signalbox(
  queue({ onMessage: () => ({ batchItemFailures: [{ itemIdentifier: 'a' }] }), log: false } as never),
)
const seen: unknown[] = []
const ofAws = aws(
  signalbox(
    queue({ onMessage: ({ body, record }) => void seen.push([body, record.md5OfMessageAttributes ?? null]) }),
  ),
)

each('Functions for queues', {
  'a list of the one message that failed': comesBack(listed('b'), ['b']),
  'a function for one message that answers for a batch': {
    async function() {
      const event = queueEvent({ bodies: ['a', 'b'] })
      assert.equal((await perMessage(JSON.parse(JSON.stringify(event)))).batchItemFailures.length, 2)
    },
    platform: async () => assert.deepEqual(await returning(perMessage as never), ['a', 'b', 'c']),
  },
  'a record without attributes, with the names of AWS': {
    async function() {
      seen.length = 0
      const event = awsDialect.event(queueEvent({ bodies: ['a'] }))
      assert.equal((event as { Records: object[] }).Records.length, 1)
      assert.match(JSON.stringify(event), /"md5OfMessageAttributes":null/)
      assert.deepEqual(await ofAws(event as never, {} as never), { batchItemFailures: [] })
      assert.deepEqual(seen, [['a', null]])
    },
    async platform() {
      seen.length = 0
      const work = { handler: ofAws as never, dialect: 'aws' as const }
      await using queues = await queuePlatformWith({ work }, { function: 'work' })
      await queues.send('a')
      await queues.pass(1)
      assert.match(JSON.stringify(queues.events), /"md5OfMessageAttributes":null/)
      assert.deepEqual(seen, [['a', null]])
    },
  },
})

each('Settings of functions', settingSamples)
each('Mails', mailSamples)
