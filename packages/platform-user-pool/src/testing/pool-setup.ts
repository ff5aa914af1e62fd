import { DatabaseSync } from 'node:sqlite'
import { manualClock } from '@signalbox/core/testing'
import type { NewInvocationLogEntry, OutboundMailer } from '@signalbox/platform-runtime'
import { systemRandom } from '@signalbox/platform-runtime'
import type { Dispatch } from '@signalbox/platform-runtime/platform/testing/parts'
import { dispatcher, inProcessInvoker } from '@signalbox/platform-runtime/platform/testing/parts'
import { vault } from '@signalbox/platform-runtime/secrets'
import type { Source, WireEvent } from '@signalbox/user-pool/contract'
import { callOperation } from '../api/operations/call-operation.ts'
import type { ClientConfig } from '../config/client-config.ts'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { userPoolEngine } from '../engine.ts'
import { contentsOf } from '../flows/messages/messages.ts'
import { srpClient } from '../srp/srp-client.ts'
import { localStore } from '../store/sqlite/local-store.ts'
import { settingsOf } from './pool-program.ts'

/** Any trigger event of a pool, as functions receive it. */
export type AnyEvent = WireEvent & { readonly request: { readonly [field: string]: unknown } }

/** The function's responses by trigger source. Other events are returned unchanged. */
export type Answers = {
  readonly [S in Source]?: (event: AnyEvent) => object | undefined | Promise<object | undefined>
}

export const poolId = 'eu-central-1_Staff01'
export const clientId = 'web'

const allFlows = ['srp', 'password', 'custom', 'admin', 'refresh'] as const

/** The master key of tests. */
const key = Buffer.alloc(32, 7)

/**
 * Creates an engine with one pool and one client. One function handles all triggers and returns the given answers.
 * The engine has a manual clock and opens no sockets.
 */
export async function poolSetup({
  pool = {},
  client = {},
  answers = {},
  database = new DatabaseSync(':memory:'),
  triggers = Object.keys(answers) as Source[],
  version = 1,
  mailer,
  returned,
  time = 1_700_000_000_000,
}: {
  readonly pool?: Partial<UserPoolConfig>
  readonly client?: ClientConfig
  readonly answers?: Answers
  readonly database?: DatabaseSync
  readonly triggers?: readonly Source[]
  readonly version?: 1 | 2 | 3
  readonly mailer?: OutboundMailer
  /** The value that the function returns. Default: its event with the response. */
  readonly returned?: (event: AnyEvent) => unknown
  /** The time of the clock. */
  readonly time?: number
} = {}) {
  const clock = manualClock(time)
  const events: AnyEvent[] = []
  const entries: NewInvocationLogEntry[] = []
  const handler = async (event: never) => {
    const sent = event as AnyEvent
    events.push(structuredClone(sent))
    const other = returned?.(sent)
    if (other !== undefined) return other
    const answer = await answers[sent.triggerSource]?.(sent)
    return { ...sent, response: { ...sent.response, ...answer } }
  }
  const map = Object.fromEntries(
    triggers.map(source => [
      source,
      source.startsWith('TokenGeneration') ? { function: 'work', version } : 'work',
    ]),
  )
  const settings = settingsOf(
    {
      functions: { work: { handler } },
      userPools: {
        staff: {
          id: poolId,
          ...(triggers.length > 0 && { triggers: map }),
          clients: { web: { id: clientId, flows: allFlows, ...client } },
          ...pool,
        },
      },
      dataDir: ':memory:',
    } as never,
    '/',
  )
  const { pools } = settings.of({ name: 'user-pool' } as never) as unknown as {
    readonly pools: Parameters<typeof userPoolEngine>[0]['pools']
  }
  const invoker = inProcessInvoker({ name: 'work', handler, timeout: 10_000, clock })
  const dispatch: Dispatch = dispatcher(
    new Map([['work', { invoker, dialect: undefined }]]),
    entry => entries.push(entry),
    clock,
    systemRandom,
  )
  const notices: string[] = []
  const store = localStore(database)
  const secrets = vault(key, systemRandom)
  const engine = userPoolEngine({
    pools,
    store,
    vault: secrets,
    context: {
      dispatch,
      clock,
      machineClock: clock,
      random: systemRandom,
      notice: text => notices.push(text),
    },
    mailer,
    issuer: ({ id }) => `https://pools.example/${id}`,
  })
  await engine.start()
  await engine.settled()
  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of an answer.
  const call = (operation: string, input: object = {}): Promise<any> =>
    callOperation(engine, operation, input)
  const texts = async () =>
    (await store.messages(poolId)).map(message => {
      const { code = '', subject, text } = contentsOf({ vault: secrets }, { id: poolId }, message) ?? {}
      return {
        to: message.to,
        medium: message.medium,
        occasion: message.occasion,
        state: message.state,
        code,
        subject,
        text,
      }
    })
  const password = 'Right-7even'
  return {
    clock,
    events,
    entries,
    notices,
    store,
    engine,
    call,
    texts,
    password,
    /** Returns the events of one trigger source. */
    eventsOf: (source: Source) => events.filter(({ triggerSource }) => triggerSource === source),
    /** Returns the trigger sources that were called, in order. */
    get called() {
      return events.map(({ triggerSource }) => triggerSource)
    },
    /** Returns the latest code that was sent, to a certain address if one is given. */
    async code(to?: string) {
      return (await texts()).find(message => to === undefined || message.to === to)?.code ?? ''
    },
    /** Signs a user up, and enters the confirmation code if one is sent. */
    async user(Username = 'ann', more: object = {}) {
      const attributes = [{ Name: 'email', Value: `${Username.split('@')[0]}@example.com` }]
      const input = { ClientId: clientId, Username, Password: password, UserAttributes: attributes, ...more }
      const { UserConfirmed, UserSub } = await call('SignUp', input)
      if (!UserConfirmed) {
        const ConfirmationCode = (await texts())[0]!.code
        await call('ConfirmSignUp', { ClientId: clientId, Username, ConfirmationCode })
      }
      return UserSub as string
    },
    signIn: (USERNAME = 'ann', PASSWORD = password, more: object = {}) =>
      call('InitiateAuth', {
        ClientId: clientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD },
        ...more,
      }),
    async srp(USERNAME = 'ann', PASSWORD = password, metadata: object = {}) {
      const half = srpClient(poolId, PASSWORD)
      const begun = await call('InitiateAuth', {
        ClientId: clientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME, SRP_A: half.SRP_A },
        ...metadata,
      })
      const answer = half.prove(begun.ChallengeParameters)
      const respond = (more: object = {}) =>
        call('RespondToAuthChallenge', {
          ClientId: clientId,
          ChallengeName: 'PASSWORD_VERIFIER',
          ChallengeResponses: { ...answer, ...more },
          ...metadata,
        })
      return { begun, answer, respond }
    },
    async [Symbol.asyncDispose]() {
      await engine.stop()
      await invoker.stop()
      await store.close()
    },
  }
}
