import { describe, expect, it } from '@jest/globals'
import * as aws from '@signalbox/aws'
import * as core from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import * as loadBalancer from '@signalbox/load-balancer'
import * as mailFlow from '@signalbox/mail-flow'
import { mailVerdict } from '@signalbox/mail-flow/contract'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queuePlatform } from '@signalbox/platform-queue/testing/queue-platform'
import * as queue from '@signalbox/queue'
import { batchVerdict } from '@signalbox/queue/contract'
import { queueEvent } from '@signalbox/queue/testing'
import * as userPool from '@signalbox/user-pool'
import * as t from 'io-ts'

/** Uses an export to make an object that a handler could return by mistake. */
type Make = () => unknown
/** The reason why a handler may return the object that the export makes. */
type Data = string
interface Packages {
  readonly [name: string]: readonly [exports: object, rows: { readonly [name: string]: Make | Data }]
}

const error = 'an error: it is thrown, and its JSON is for logs'
const plain = 'plain data, a text or a truth value'
const reply = 'a reply is the answer of its own family, and middlewares write it to logs'
const throws = 'it throws and gives nothing'

const { get } = loadBalancer
const route = get('/', () => loadBalancer.noContent())
const store = core.memoryStore()
const challenge = userPool.oneTimeCode({ send: () => {} })
const onMessage = () => {}
const family = queue.queueFamily

/** All exports of the packages for functions. An export without a row fails the test. */
const packages: Packages = {
  core: [
    core,
    {
      DeniedError: error,
      InvalidEventError: error,
      InvalidOptionError: error,
      InvalidResponseError: error,
      SignalboxError: error,
      UnknownEventError: error,
      UnroutedError: error,
      callsEnd: plain,
      endObserved: plain,
      observe: plain,
      observerOf: 'it gives back the observer that it was given',
      deadline: () => core.deadline(invocationContext()),
      fromTaskEither: () => core.fromTaskEither(() => async () => ({ _tag: 'Right', right: 1 })),
      durableExecution: plain,
      inDevelopment: plain,
      inDevelopmentOrTest: plain,
      isThenable: plain,
      warnOfName: plain,
      keyvStore: () => core.keyvStore(new Map() as never),
      memoryStore: () => store,
      named: 'it gives back the function that it was given',
      namedMiddleware: () => core.namedMiddleware('a', {}),
      normalizer: () => core.normalizer(family),
      notAnAnswer: () => core.notAnAnswer('a tool', {}),
      problemOfAnswer: plain,
      contractValidator: () => core.contractValidator(family),
      receiver: () => core.receiver(family, core.contractValidator(family)),
      refusalAsAnswer: () => ({ toJSON: core.refusalAsAnswer('a tool', 'its result') }),
      refuseUnknownOptions: throws,
      showOption: plain,
      closestFamily: plain,
      signalbox: () => core.signalbox(queue.queue({ onMessage })),
      systemClock: () => core.systemClock,
      validator: () => core.validator(family),
    },
  ],
  queue: [
    queue,
    {
      BatchFailedError: error,
      DiscardError: error,
      InvalidMessageError: error,
      MessageInProgressError: error,
      UnhandledMessageError: error,
      UnknownMessageError: error,
      discard: throws,
      eachMessage: () => queue.eachMessage({ decode() {}, validate() {}, is() {} } as never, onMessage),
      failureCollector: 'its JSON is its response: see below',
      once: () => queue.once({ store })(onMessage),
      partialFailures: () => queue.partialFailures(),
      queue: () => queue.queue({ onMessage }),
      queueFamily: () => queue.queueFamily,
      queueNormalizer: () => queue.queueNormalizer(),
      queueValidator: () => queue.queueValidator(),
    },
  ],
  'user-pool': [
    userPool,
    {
      TriggerInProgressError: error,
      claims: () => userPool.claims().suppress('email'),
      codeDecrypter: () => userPool.codeDecrypter(),
      customAuth: () => userPool.customAuth({ challenges: [challenge] }),
      deny: throws,
      message: () => userPool.message({ sms: 'Code {code}' }),
      once: () => userPool.once({ store, triggers: ['PreSignUp'] }),
      oneTimeCode: () => challenge,
      passThrough: plain,
      sameAnswer: plain,
      triggerRouter: () => userPool.triggerRouter({ PreSignUp: () => {} }),
      userPool: () => userPool.userPool({ PreSignUp: () => {} }),
      userPoolFamily: () => userPool.userPoolFamily,
      userPoolNormalizer: () => userPool.userPoolNormalizer(),
      userPoolSerializer: () => userPool.userPoolSerializer(),
      userPoolValidator: () => userPool.userPoolValidator(),
    },
  ],
  'mail-flow': [
    mailFlow,
    {
      ConflictingActionsError: error,
      DecisionTimeoutError: error,
      InboundOnlyActionError: error,
      InvalidAddressError: error,
      InvalidBounceMessageError: error,
      MailNotParsedError: error,
      ResponseTooLargeError: error,
      TooManyActionsError: error,
      TooManyRecipientsError: error,
      UnlistedRecipientError: error,
      decideMail: () => mailFlow.decideMail(() => {}),
      mailActions: 'its JSON is its response: see below',
      mailFlow: () => mailFlow.mailFlow(() => {}),
      mailFlowFamily: () => mailFlow.mailFlowFamily,
      mailFlowNormalizer: () => mailFlow.mailFlowNormalizer(),
      mailFlowSerializer: () => mailFlow.mailFlowSerializer(),
      mailFlowValidator: () => mailFlow.mailFlowValidator(),
      once: () => mailFlow.once({ store }),
      parseMail: plain,
    },
  ],
  'load-balancer': [
    loadBalancer,
    {
      HttpError: error,
      any: () => loadBalancer.any('/', () => loadBalancer.noContent()),
      byType: () => loadBalancer.byType({ 'text/csv': t.string }),
      bytes: reply,
      checkReturns: () => loadBalancer.checkReturns(),
      compress: () => loadBalancer.compress(),
      cors: () => loadBalancer.cors({ origins: '*' }),
      created: reply,
      del: () => loadBalancer.del('/', () => loadBalancer.noContent()),
      etag: () => loadBalancer.etag(),
      file: reply,
      fromFetch: () => loadBalancer.fromFetch(() => new Response(), '/app'),
      get: () => route,
      group: () => loadBalancer.group('/', [], [route]),
      guard: () => loadBalancer.guard(() => {}),
      head: () => loadBalancer.head('/', () => loadBalancer.noContent()),
      html: reply,
      json: reply,
      loadBalancer: () => loadBalancer.loadBalancer([route]),
      loadBalancerFamily: () => loadBalancer.loadBalancerFamily,
      loadBalancerNormalizer: () => loadBalancer.loadBalancerNormalizer(),
      loadBalancerValidator: () => loadBalancer.loadBalancerValidator(),
      noContent: reply,
      once: () => loadBalancer.once({ store }),
      options: () => loadBalancer.options('/', () => loadBalancer.noContent()),
      patch: () => loadBalancer.patch('/', () => loadBalancer.noContent()),
      post: () => loadBalancer.post('/', () => loadBalancer.noContent()),
      problem: reply,
      produces: () => loadBalancer.produces('text/csv'),
      put: () => loadBalancer.put('/', () => loadBalancer.noContent()),
      rateLimit: () => loadBalancer.rateLimit({ store, limit: 1, window: 1000 }),
      redirect: reply,
      responseSerializer: () => loadBalancer.responseSerializer(),
      router: () => loadBalancer.router([route]),
      securityHeaders: () => loadBalancer.securityHeaders(),
      serialize: 'the answer of its own family',
      text: reply,
      toWebRequest: 'a Request of the Fetch API, which no platform takes for an answer',
      withCookie: reply,
      withoutCookie: reply,
    },
  ],
  aws: [
    aws,
    {
      aws: () => aws.aws(async () => ({})),
      awsDialect: 'a part of the configuration of a platform',
      balancerKeys: 'a function that gives the address of a key',
      awsRecord: plain,
      awsRoute: () => aws.awsRoute(async () => ({})),
      UnsupportedDecisionError: error,
      fromAws: plain,
      sesMail: () => aws.sesMail(async () => ({})),
      sesRecord: plain,
      toAws: plain,
    },
  ],
}

describe.each(Object.entries(packages))('the package %s', (_, [exports, rows]) => {
  it('exports exactly the names that this test lists', () => {
    expect(Object.keys(rows).sort()).toEqual(Object.keys(exports).sort())
  })

  const makers = Object.entries(rows).filter((row): row is [string, Make] => typeof row[1] === 'function')

  it.each(makers)('lets no handler return the result of %s() by mistake', (_, make) => {
    for (const returned of [make(), { response: make() }])
      expect(() => JSON.stringify(returned)).toThrow(/expected .+, was an? .+/)
  })
})

describe('a failure collector that a plain handler returns', () => {
  it('becomes a batch response with the collected failures', () => {
    const event = queueEvent({ bodies: ['a', 'b', 'c'] })
    const failures = queue.failureCollector(event)
    const id = event.Records[1]!.messageId
    failures.add(id, new Error('broken'))
    expect(batchVerdict(JSON.stringify(failures), event)).toMatchObject({ kind: 'partial', failed: [id] })
  })

  it('makes the queue retry only the failed message', async () => {
    await using setup = await queuePlatform(event => {
      const failures = queue.failureCollector(event)
      for (const record of event.Records) if (record.body === 'bad') failures.add(record)
      return failures
    })
    await setup.send('good', 'bad')
    await setup.pass(31)
    expect(setup.batches).toEqual([['good', 'bad'], ['bad']])
  })
})

it('a plain handler can return the mailActions() builder instead of the response that it builds', () => {
  const event = mailEvent({ recipients: ['ann@office.example', 'bob@office.example'] })
  const actions = mailFlow.mailActions(event).drop(['ann@office.example']).default()
  expect(JSON.stringify(actions)).toBe(JSON.stringify(actions.response()))
  const verdict = mailVerdict(JSON.stringify(actions), event, { fallback: 'DROP' })
  expect(verdict).toMatchObject({
    kind: 'decided',
    recipients: [{ disposition: 'drop' }, { disposition: 'deliver' }],
  })
})

it('the queue keeps a message when its function returns a plugin, a handler or a middleware by mistake', async () => {
  for (const [returned, what] of [
    [queue.queue({ onMessage }), 'a plugin'],
    [core.signalbox(queue.queue({ onMessage })), 'a handler'],
    [queue.partialFailures(), 'a middleware'],
  ] as const) {
    await using setup = await queuePlatform(() => returned)
    await setup.send('a')
    await setup.pass(31)
    expect([what, setup.batches]).toEqual([what, [['a'], ['a']]])
  }
})
