import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import middy from '@middy/core'
import { DeniedError, InvalidResponseError, memoryStore, signalbox, UnroutedError } from '@signalbox/core'
import {
  claims,
  codeDecrypter,
  customAuth,
  deny,
  message,
  once,
  oneTimeCode,
  passThrough,
  type Routes,
  sameAnswer,
  TriggerInProgressError,
  triggerRouter,
  userPool,
  userPoolFamily,
  userPoolNormalizer,
  userPoolSerializer,
  userPoolValidator,
} from '@signalbox/user-pool'
import { triggerVerdict } from '@signalbox/user-pool/contract'
import {
  customEmailSenderEvent,
  customMessageEvent,
  inboundFederationEvent,
  mutations,
  postAuthenticationEvent,
  postConfirmationEvent,
  preAuthenticationEvent,
  preSignUpEvent,
  signIn,
  tokenGenerationEvent,
  triggerEvent,
  userMigrationEvent,
} from '@signalbox/user-pool/testing'
import type { Features } from '../features.ts'

const handlerOf = (routes: Routes, options: object = {}) => signalbox(userPool(routes, options))
const responseOf = async (handler: (event: never) => Promise<unknown>, event: unknown) =>
  ((await handler(event as never)) as { readonly response: unknown }).response

/** The features in the README of `@signalbox/user-pool`. */
export const features: Features = {
  async 'routes, deny() and otherwise'() {
    const handler = handlerOf({
      PreSignUp_SignUp: ({ request }) => {
        if (!request.userAttributes.email?.toLowerCase().endsWith('@example.com'))
          deny('Staff addresses only')
        return { autoConfirmUser: true, autoVerifyEmail: true }
      },
      otherwise: passThrough,
    })
    const event = preSignUpEvent({ userAttributes: { email: 'ada@example.com' } })
    const answer = await handler(event)
    assert.deepEqual(answer.response, { autoConfirmUser: true, autoVerifyEmail: true })
    assert.equal(triggerVerdict(JSON.stringify(answer), event).kind, 'accepted')
    await assert.rejects(handler(preSignUpEvent({ userAttributes: { email: 'a@b.example' } })), DeniedError)
    assert.ok(await handler(postAuthenticationEvent()))
    await assert.rejects(handlerOf({ PreSignUp() {} })(postAuthenticationEvent()), UnroutedError)
    assert.throws(() => handlerOf({ PreSignup() {} } as never), /PreSignup|trigger-router/)
    const wrong = handlerOf({ PreSignUp: () => ({ autoConfirmUsr: true }) as never })
    await assert.rejects(wrong(preSignUpEvent()), InvalidResponseError)
  },
  async 'a middy handler as a route'() {
    const confirm = middy()
      .use({ before() {} })
      .handler(() => ({ autoConfirmUser: true }))
    assert.deepEqual(await responseOf(handlerOf({ PreSignUp: confirm as never }), preSignUpEvent()), {
      autoConfirmUser: true,
    })
  },
  async 'message()'() {
    const handler = handlerOf({
      CustomMessage: message(
        {
          sms: 'Your code is {code}',
          email: { subject: 'Welcome, {name}', html: '<p>Hello {name}, your code is {code}</p>' },
        },
        ({ request }) => ({ name: request.userAttributes.given_name ?? 'stranger' }),
      ),
    })
    const event = customMessageEvent({ userAttributes: { given_name: '<Ada>' } })
    const response = await responseOf(handler, event)
    assert.match(JSON.stringify(response), /Hello &(?:lt|#60);Ada&(?:gt|#62);, your code is \{####\}/)
  },
  async 'senders, with decrypt and codeDecrypter()'() {
    const key = randomBytes(32)
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const sealed = [nonce, cipher.update('123456'), cipher.final(), cipher.getAuthTag()]
    const code = Buffer.concat(sealed).toString('base64')
    const sent: unknown[] = []
    const handler = handlerOf(
      { CustomEmailSender: ({ request }) => void sent.push(request.code) },
      { decrypt: codeDecrypter({ key: key.toString('base64') }) },
    )
    await handler(customEmailSenderEvent({ code }))
    assert.deepEqual(sent, ['123456'])
    assert.throws(() => codeDecrypter({ key: 'short' })(code), /key of 32 bytes in base64: the option key/)
  },
  async 'confirmation, migration and federation'() {
    const done: string[] = []
    const handler = handlerOf({
      PostConfirmation_ConfirmSignUp: ({ userName }) => void done.push(userName),
      UserMigration_Authentication: ({ request }) => {
        if (!sameAnswer(request.password, 'correct')) deny('Wrong name or password')
        return {
          userAttributes: { email: 'a@example.com', email_verified: 'true' },
          finalUserStatus: 'CONFIRMED',
        }
      },
      InboundFederation: ({ request }) => ({
        userAttributesToMap: { email: String(request.attributes.idToken.email), email_verified: 'true' },
      }),
    })
    await handler(postConfirmationEvent())
    assert.equal(done.length, 1)
    const migrated = await responseOf(handler, userMigrationEvent({ password: 'correct' } as never))
    assert.match(JSON.stringify(migrated), /CONFIRMED/)
    await assert.rejects(handler(userMigrationEvent({ password: 'wrong' } as never)), DeniedError)
    assert.match(JSON.stringify(await responseOf(handler, inboundFederationEvent())), /email_verified/)
  },
  async 'customAuth() with oneTimeCode() and a challenge of its own'() {
    let code = ''
    const handler = handlerOf({
      PreAuthentication: ({ userName }) => {
        if (userName === 'mallory') deny('This account is closed')
      },
      ...customAuth({
        challenges: [
          oneTimeCode({
            digits: 8,
            ttl: 60_000,
            send: sent => {
              code = sent
            },
          }),
          {
            name: 'CAPTCHA',
            create: () => ({ publicParameters: { siteKey: 'k' }, privateParameters: { right: 'cat' } }),
            verify: ({ answer, privateParameters }) => sameAnswer(answer, privateParameters.right),
          },
        ],
        maxAttempts: 3,
        firstFactor: 'none',
      }),
    })
    assert.ok(await handler(preAuthenticationEvent({}, { userName: 'ada' })))
    const steps = await signIn(
      event => {
        const asks = (event as { readonly request: { challengeAnswer?: string } }).request
        if (asks.challengeAnswer === 'the code') asks.challengeAnswer = code
        return handler(event as never)
      },
      ['the code', 'cat'],
      { srp: false },
    )
    assert.match(JSON.stringify(steps.at(-1)), /"issueTokens":true/)
    assert.equal(code.length, 8)
  },
  async 'claims()'() {
    const handler = handlerOf({
      TokenGeneration: event => claims().set('tenant', 't1').suppress('email').groups(['staff']).for(event),
    })
    const response = JSON.stringify(await responseOf(handler, tokenGenerationEvent()))
    assert.match(response, /"tenant":"t1"/)
    assert.throws(() => claims().set('sub', 'x'), /The claim sub/)
    assert.throws(() => claims().set('scope', 'x'), /use scopes/)
  },
  async 'once()'() {
    let calls = 0
    const store = memoryStore()
    const handler = handlerOf({
      PostConfirmation: async () => {
        calls++
        await new Promise(resolve => setTimeout(resolve, 10))
      },
    }).use(once({ store, triggers: ['PostConfirmation'], ttl: 15_000, lease: 10_000, key: () => 'k' }))
    const first = handler(postConfirmationEvent())
    const second = handler(postConfirmationEvent()).catch((error: unknown) => error)
    await first
    assert.ok(!((await second) instanceof TriggerInProgressError) && calls === 1)
    assert.throws(
      () => once({ store, triggers: ['UserMigration'] as never }),
      /UserMigration cannot run once, because a store would hold passwords/,
    )
  },
  async 'the pieces in a middy stack'() {
    const handler = middy()
      .use([userPoolNormalizer(), userPoolValidator(), userPoolSerializer()])
      .handler(triggerRouter({ PreSignUp: () => ({ autoConfirmUser: true }) }))
    const answer = (await handler(preSignUpEvent(), {} as never)) as { readonly response: unknown }
    assert.deepEqual(answer.response, { autoConfirmUser: true })
  },
  'its family, and builders of events'() {
    assert.ok(userPoolFamily.recognizes(triggerEvent('PreSignUp_SignUp')))
    assert.equal(typeof mutations, 'function')
  },
}
