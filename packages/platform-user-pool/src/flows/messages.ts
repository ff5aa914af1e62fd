import { randomUuid } from '@signalbox/platform-runtime'
import type { Source } from '@signalbox/user-pool/contract'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import { sealCode } from '../secrets/sealed-code.ts'
import type { Message, User } from '../store/user-pool-store.ts'
import { eventAttributes } from './accounts.ts'
import { hasTrigger } from './call-trigger.ts'
import type { EngineContext, FlowCaller, Metadata } from './engine-context.ts'

/** Why a message is sent: what trigger sources of messages have behind the underscore. */
export type Occasion =
  | 'SignUp'
  | 'AdminCreateUser'
  | 'ResendCode'
  | 'ForgotPassword'
  | 'UpdateUserAttribute'
  | 'VerifyUserAttribute'
  | 'Authentication'

/** Where a code goes. */
export interface Destination {
  readonly attribute: 'email' | 'phone_number'
  readonly medium: 'EMAIL' | 'SMS'
  readonly to: string
}

/** What is sealed of a message. */
export interface MessageContents {
  readonly code: string
  readonly clientId: string | undefined
  readonly sdk: string
  readonly clientMetadata: Metadata
  readonly subject?: string
  readonly text?: string
}

/** Where something is sent that a user has to confirm; undefined when there is no address. */
export function destinationOf(
  attributes: User['attributes'],
  attribute: 'email' | 'phone_number',
): Destination | undefined {
  const to = attributes[attribute]
  return to === undefined || to === ''
    ? undefined
    : { attribute, medium: attribute === 'email' ? 'EMAIL' : 'SMS', to }
}

/** A delivery as clients see it. The address is masked. */
export function deliveryDetails({ attribute, medium, to }: Destination) {
  return { Destination: masked(to), DeliveryMedium: medium, AttributeName: attribute }
}

/** Shows no more of an address than its owner needs: `f***@e***`, `+*******3456`. */
function masked(to: string): string {
  const at = to.lastIndexOf('@')
  if (at < 0) return `+${'*'.repeat(Math.max(to.length - 5, 0))}${to.slice(-4)}`
  return `${to[0]}***@${to[at + 1]}***`
}

/** A message on its way, which has to be stored in the transaction of its code. */
export function newMessage(
  { vault, random, clock }: EngineContext,
  { pool, client, sdk }: FlowCaller,
  user: Pick<User, 'id'>,
  occasion: Occasion,
  { medium, to }: Destination,
  code: string,
  clientMetadata: Metadata,
): Message {
  const id = randomUuid(random)
  const contents: MessageContents = { code, clientId: client?.id, sdk, clientMetadata }
  return {
    id,
    user: user.id,
    occasion,
    medium,
    to,
    state: 'waiting',
    contents: vault.seal(JSON.stringify(contents), about(pool, id)),
    created: clock.now(),
  }
}

/** What was sealed of a message; undefined when the key is another one. */
export function contentsOf(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: Pick<PoolSettings, 'id'>,
  message: Pick<Message, 'id' | 'contents'>,
): MessageContents | undefined {
  const text = vault.open(message.contents, about(pool, message.id))
  return text === undefined ? undefined : JSON.parse(text)
}

function about(pool: Pick<PoolSettings, 'id'>, id: string): string {
  return `message ${pool.id} ${id}`
}

const codePlaceholder = '{####}'
const namePlaceholder = '{username}'

/**
 * Sends a message that is stored. A custom sender gets its code and is not waited for; otherwise a function says what the
 * message says, or else the pool does.
 * @throws UserPoolError when the function that says it denies or fails: then nothing is sent
 */
export async function deliver(
  engine: EngineContext,
  caller: FlowCaller,
  user: User,
  message: Message,
): Promise<void> {
  const contents = contentsOf(engine, caller.pool, message)
  if (contents === undefined) return
  const source = senderOf(message)
  if (hasTrigger(caller.pool, source)) {
    const sending = settled(engine, caller, message, contents, async () => {
      await engine.callTrigger(caller, source, senderCall(engine, caller, user, contents, message))
      return {}
    })
    engine.background(sending.catch(() => {}))
    return
  }
  await settled(engine, caller, message, contents, () => worded(engine, caller, user, message, contents))
}

/** Does what sends a message, and writes down what came of it. */
async function settled(
  { store, vault }: EngineContext,
  { pool }: FlowCaller,
  message: Message,
  contents: MessageContents,
  send: () => Promise<Partial<MessageContents>>,
): Promise<void> {
  const settle = (state: Message['state'], more: Partial<MessageContents>) => {
    const sealed = vault.seal(JSON.stringify({ ...contents, ...more }), about(pool, message.id))
    return store.setMessage(pool.id, { id: message.id, state, contents: sealed })
  }
  try {
    await settle('sent', await send())
  } catch (error) {
    await settle('failed', {})
    throw error
  }
}

function senderOf({ medium, occasion }: Message) {
  return `${medium === 'EMAIL' ? 'CustomEmailSender' : 'CustomSMSSender'}_${occasion as Occasion}` as const
}

function senderCall(
  { vault, random }: EngineContext,
  { pool }: FlowCaller,
  user: User,
  { code, clientMetadata }: MessageContents,
  { medium }: Message,
) {
  const type =
    medium === 'EMAIL' ? ('customEmailSenderRequestV1' as const) : ('customSMSSenderRequestV1' as const)
  const request = {
    code: sealCode(vault, random, code),
    clientMetadata,
    userAttributes: eventAttributes(pool, user),
  }
  // Each medium has its own type, which its trigger source says, too.
  return { userName: user.name, request: { type, ...request } as never }
}

/** What a message says: the words of a function, or else the pool's. */
async function worded(
  { callTrigger }: EngineContext,
  caller: FlowCaller,
  user: User,
  { medium, occasion: given }: Message,
  contents: MessageContents,
): Promise<Partial<MessageContents>> {
  const occasion = given as Occasion
  const said = await callTrigger(caller, `CustomMessage_${occasion}` satisfies Source, {
    userName: user.name,
    request: {
      userAttributes: eventAttributes(caller.pool, user),
      codeParameter: codePlaceholder,
      linkParameter: '{##Verify Email##}',
      usernameParameter: occasion === 'AdminCreateUser' ? namePlaceholder : null,
      clientMetadata: contents.clientMetadata,
    },
  })
  const fill = (text: string) =>
    text.replaceAll(codePlaceholder, () => contents.code).replaceAll(namePlaceholder, () => user.name)
  const standard = standardMessages[occasion]
  const text = (medium === 'EMAIL' ? said?.emailMessage : said?.smsMessage) ?? standard.text
  return {
    text: fill(text),
    ...(medium === 'EMAIL' && { subject: fill(said?.emailSubject ?? standard.subject) }),
  }
}

const code = { subject: 'Your verification code', text: `Your confirmation code is ${codePlaceholder}` }

/** What messages say where no function says it. */
const standardMessages: { readonly [O in Occasion]: { readonly subject: string; readonly text: string } } = {
  SignUp: code,
  ResendCode: code,
  UpdateUserAttribute: code,
  VerifyUserAttribute: code,
  ForgotPassword: {
    subject: 'Your password reset code',
    text: `Your password reset code is ${codePlaceholder}`,
  },
  AdminCreateUser: {
    subject: 'Your temporary password',
    text: `Your username is ${namePlaceholder} and temporary password is ${codePlaceholder}`,
  },
  Authentication: {
    subject: 'Your authentication code',
    text: `Your authentication code is ${codePlaceholder}`,
  },
}
