import { randomUuid } from '@signalbox/platform-runtime'
import type { Source } from '@signalbox/user-pool/contract'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import { sealCode } from '../secrets/sealed-code.ts'
import type { Message, User } from '../store/user-pool-store.ts'
import { eventAttributes } from './accounts.ts'
import { hasTrigger } from './call-trigger.ts'
import type { Secret } from './codes.ts'
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
export interface MessageContents extends Partial<Words> {
  readonly code: string
  readonly clientId: string | undefined
  readonly sdk: string
  readonly clientMetadata: Metadata
}

/** What a message says. */
interface Words {
  /** Of an e-mail. */
  readonly subject?: string
  readonly text: string
  readonly isHtml: boolean
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
  { code, ends }: Secret,
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
    ends,
    created: clock.now(),
  }
}

/** What was sealed of a message; undefined when it has ended, and when the key is another one. */
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
 * Sends a message that is stored. A custom sender gets its code and is not waited for. Otherwise a function says what the
 * message says, or else the pool does; e-mail goes to the mail server, and what nothing sends is kept.
 * @throws UserPoolError when the function that says it denies or fails: then nothing is sent
 */
export async function deliver(
  engine: EngineContext,
  caller: FlowCaller,
  user: User,
  message: Message,
): Promise<void> {
  const contents = contentsOf(engine, caller.pool, message)
  if (contents === undefined || message.ends <= engine.clock.now()) return
  const { code, clientId, sdk, clientMetadata } = contents
  const settle = (state: Message['state'], words: Words | undefined) =>
    setMessage(engine, caller, message, state, { code, clientId, sdk, clientMetadata, ...words })
  const source = senderOf(message)
  if (hasTrigger(caller.pool, source)) {
    const call = senderCall(engine, caller, user, contents, message)
    const sending = engine.callTrigger(caller, source, call).then(
      () => settle('sent', undefined),
      () => settle('failed', undefined),
    )
    engine.background(sending)
    return
  }
  let words: Words
  try {
    words = saidBefore(contents) ?? (await wordsOf(engine, caller, user, message, contents))
  } catch (error) {
    await settle('failed', undefined)
    throw error
  }
  switch (await handOver(engine, caller, message, words)) {
    case 'sent':
      return settle('sent', undefined)
    case 'kept':
      return settle('kept', words)
    case 'not yet': {
      // What the function said stays said.
      const waiting = { ...contents, ...words }
      await setMessage(engine, caller, message, 'waiting', waiting)
      const sealed = sealContents(engine, caller, message, waiting)
      engine.later(retryTime, () => deliver(engine, caller, user, { ...message, contents: sealed }))
    }
  }
}

/** Milliseconds until an e-mail that the mail server could not take is handed over again. */
const retryTime = 30_000

/** The mail server knows a message by its id, so that it takes none twice. */
async function handOver(
  { mailer, notice }: EngineContext,
  { pool }: FlowCaller,
  { id, medium, to }: Message,
  { subject = '', text, isHtml }: Words,
): Promise<'sent' | 'kept' | 'not yet'> {
  if (medium !== 'EMAIL' || mailer === undefined) return 'kept'
  try {
    const isTaken = await mailer.submit({ id, from: pool.from, to, subject, text, isHtml })
    if (isTaken) return 'sent'
    notice(
      `The mail server has no mailbox for an address of the user pool ${pool.name}, and no relay: the message is kept. \`signalbox texts ${pool.name}\` shows it.`,
    )
    return 'kept'
  } catch (error) {
    notice(
      `The mail server could not take a message of the user pool ${pool.name}, which waits: ${error instanceof Error ? error.message : error}`,
    )
    return 'not yet'
  }
}

function setMessage(
  engine: EngineContext,
  caller: FlowCaller,
  message: Message,
  state: Message['state'],
  contents: MessageContents,
): Promise<void> {
  const sealed = sealContents(engine, caller, message, contents)
  return engine.store.setMessage(caller.pool.id, { id: message.id, state, contents: sealed })
}

function sealContents(
  { vault }: EngineContext,
  { pool }: FlowCaller,
  { id }: Message,
  contents: MessageContents,
): string {
  return vault.seal(JSON.stringify(contents), about(pool, id))
}

function saidBefore({ subject, text, isHtml = false }: MessageContents): Words | undefined {
  return text === undefined ? undefined : { ...(subject !== undefined && { subject }), text, isHtml }
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

/** What a message says: the words of a function, or else the pool's. E-mail in the words of a function is HTML. */
async function wordsOf(
  { callTrigger, mailer }: EngineContext,
  caller: FlowCaller,
  user: User,
  { medium, occasion: given }: Message,
  contents: MessageContents,
): Promise<Words> {
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
  const standard = standardMessages[occasion]
  const own = medium === 'EMAIL' ? said?.emailMessage : said?.smsMessage
  const isHtml = medium === 'EMAIL' && typeof own === 'string' && mailer !== undefined
  const fill = (text: string, encode: (value: string) => string = value => value) =>
    text
      .replaceAll(codePlaceholder, () => encode(contents.code))
      .replaceAll(namePlaceholder, () => encode(user.name))
  return {
    text: fill(own ?? standard.text, isHtml ? inHtml : undefined),
    isHtml,
    ...(medium === 'EMAIL' && { subject: fill(said?.emailSubject ?? standard.subject) }),
  }
}

function inHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
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
