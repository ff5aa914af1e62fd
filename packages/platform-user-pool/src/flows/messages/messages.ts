import { randomUuid } from '@signalbox/platform-runtime'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext, FlowCaller, Metadata } from '../../context/engine-context.ts'
import { encryptCode } from '../../secrets/encrypted-code.ts'
import type { Message, User } from '../../store/user-pool-store.ts'
import { eventAttributes } from '../../users/attributes.ts'
import { hasTrigger } from '../triggers/call-trigger.ts'
import { type TemporarySecret, tooOften } from './codes.ts'
import { type Destination, destinationKey } from './destinations.ts'
import { type Occasion, standardMessages, type Words, wordsOf } from './words.ts'

/** The contents of a message, which are stored encrypted. */
export interface MessageContents extends Partial<Words> {
  readonly code: string
  readonly clientId: string | undefined
  readonly sdk: string
  readonly clientMetadata: Metadata
  /** The attributes of a notice about a sign-in. Undefined for messages with a code. */
  readonly takeover?: { readonly [name: string]: string }
}

const hour = 3_600_000

/**
 * Returns a message to send. It must be stored in the same transaction as its code. All platforms that share a database
 * count the messages to one destination together.
 * @param isHidden whether the response must not reveal that there is a message. When there are too many for the
 * destination, the message is then feigned.
 * @throws UserPoolError when clients caused too many messages to the destination
 */
export async function newMessage(
  engine: EngineContext,
  caller: FlowCaller,
  user: Pick<User, 'id'>,
  occasion: Occasion,
  destination: Destination,
  secret: TemporarySecret,
  clientMetadata: Metadata,
  isHidden = false,
): Promise<Message> {
  const message = messageOf(engine, caller, user, occasion, destination, secret, clientMetadata)
  if (await countMessage(engine, caller, 'messages', destination)) return message
  if (!isHidden) throw tooOften()
  return { ...message, state: 'feigned' }
}

/** Counts a message to a destination. Returns false when there are too many. Administrators are not limited. */
async function countMessage(
  { store, vault, clock }: EngineContext,
  { pool, client }: FlowCaller,
  kind: 'messages' | 'feigned messages',
  { to }: Destination,
): Promise<boolean> {
  if (client === undefined) return true
  const digest = vault.digest(destinationKey(to), `messages ${pool.id}`)
  return store.count(pool.id, `${kind} ${digest}`, { most: pool.limits.messages, window: hour }, clock.now())
}

function messageOf(
  { vault, random, clock }: EngineContext,
  { pool, client, sdk }: FlowCaller,
  user: Pick<User, 'id'>,
  occasion: Occasion,
  { medium, to }: Destination,
  { code, ends }: TemporarySecret,
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
    contents: vault.encrypt(JSON.stringify(contents), about(pool, id)),
    ends,
    created: clock.now(),
  }
}

/**
 * Returns a message that is never sent, for a user name without an account. `discardMessage` deletes it. It takes as long
 * as a message that is sent, but does not count for the destination.
 */
export async function newFeignedMessage(...message: Parameters<typeof messageOf>): Promise<Message> {
  const [engine, caller, , , destination] = message
  await countMessage(engine, caller, 'feigned messages', destination)
  return { ...messageOf(...message), state: 'feigned' }
}

/**
 * Returns a notice about a sign-in that looks like a takeover. It has no code, and does not count for the destination:
 * other messages, which anyone can cause, must not keep a user from being warned.
 * @param isFeigned whether the notice is never sent
 */
export function newNotice(
  { vault, random, clock }: EngineContext,
  { pool, client, sdk }: FlowCaller,
  user: Pick<User, 'id'>,
  { medium, to }: Destination,
  words: Words,
  takeover: NonNullable<MessageContents['takeover']>,
  isFeigned: boolean,
): Message {
  const id = randomUuid(random)
  const contents: MessageContents = {
    ...{ code: '', clientId: client?.id, sdk, clientMetadata: {}, takeover },
    ...words,
  }
  const now = clock.now()
  return {
    ...{ id, user: user.id, occasion: 'AccountTakeOverNotification', medium, to },
    state: isFeigned ? 'feigned' : 'waiting',
    contents: vault.encrypt(JSON.stringify(contents), about(pool, id)),
    ends: now + noticeLife,
    created: now,
  }
}

/** How many milliseconds the text of a notice is kept. */
const noticeLife = 24 * hour

/** Returns the contents of a message, or undefined if they were deleted or were encrypted with another key. */
export function contentsOf(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: Pick<PoolSettings, 'id'>,
  message: Pick<Message, 'id' | 'contents'>,
): MessageContents | undefined {
  const text = vault.decrypt(message.contents, about(pool, message.id))
  return text === undefined ? undefined : JSON.parse(text)
}

function about(pool: Pick<PoolSettings, 'id'>, id: string): string {
  return `message ${pool.id} ${id}`
}

/**
 * Sends a stored message. If the pool has a custom sender, it gets the message's code, and the flow does not wait for
 * it. Otherwise, the text comes from a function or from the pool. E-mail goes to the mail server, and other messages
 * are only stored.
 * @param isHidden whether the response time must not reveal that there is a message. The flow then responds first, and
 * does not wait for the mail server.
 * @throws UserPoolError when the function that writes the text denies the request or fails. Nothing is sent in this
 * case.
 */
export async function deliver(
  engine: EngineContext,
  caller: FlowCaller,
  user: User,
  message: Message,
  isHidden = false,
): Promise<void> {
  if (message.state === 'feigned') return discardMessage(engine, caller, message)
  const contents = contentsOf(engine, caller.pool, message)
  if (contents === undefined || message.ends <= engine.clock.now()) return
  const { code, clientId, sdk, clientMetadata } = contents
  const finishMessage = (state: Message['state'], words: Words | undefined) =>
    setMessage(engine, caller, message, state, { code, clientId, sdk, clientMetadata, ...words })
  const source = senderOf(message)
  if (hasTrigger(caller.pool, source)) {
    const call = senderCall(engine, caller, user, contents, message)
    const send = () =>
      engine.callTrigger(caller, source, call).then(
        () => finishMessage('sent', undefined),
        () => finishMessage('failed', undefined),
      )
    engine.background(isHidden ? afterTheAnswer(send) : send())
    return
  }
  let words: Words
  try {
    words = saidBefore(contents) ?? (await wordsOf(engine, caller, user, message, contents))
  } catch (error) {
    await finishMessage('failed', undefined)
    throw error
  }
  const handItOver = async () => {
    switch (await handOver(engine, caller, message, words)) {
      case 'sent':
        return finishMessage('sent', undefined)
      case 'kept':
        return finishMessage('kept', words)
      case 'not yet':
        // The function's text is stored, so that later attempts do not call the function again.
        return setMessage(engine, caller, message, 'waiting', { ...contents, ...words })
    }
  }
  if (isHidden && isForMailServer(engine, message)) engine.background(afterTheAnswer(handItOver))
  else await handItOver()
}

/** Does the same work for a feigned message as `deliver`, and removes the message. */
export async function discardMessage(
  engine: EngineContext,
  caller: FlowCaller,
  message: Message,
): Promise<void> {
  const contents = contentsOf(engine, caller.pool, message)!
  const discard = async () => {
    const words = standardMessages[message.occasion as Occasion]
    encryptContents(engine, caller, message, { ...contents, ...words, isHtml: false })
    await engine.store.removeMessage(caller.pool.id, message.id)
  }
  if (hasTrigger(caller.pool, senderOf(message)) || isForMailServer(engine, message))
    engine.background(afterTheAnswer(discard))
  else await discard()
}

function isForMailServer({ mailer }: EngineContext, { medium }: Message): boolean {
  return medium === 'EMAIL' && mailer !== undefined
}

/** Starts work as soon as the response to the current request is written. */
async function afterTheAnswer(work: () => Promise<void>): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
  await work()
}

/** Passes a message to the mail server, which recognizes messages by id and accepts each of them only once. */
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
  const encrypted = encryptContents(engine, caller, message, contents)
  return engine.store.setMessage(caller.pool.id, { id: message.id, state, contents: encrypted })
}

function encryptContents(
  { vault }: EngineContext,
  { pool }: FlowCaller,
  { id }: Message,
  contents: MessageContents,
): string {
  return vault.encrypt(JSON.stringify(contents), about(pool, id))
}

function saidBefore({ subject, text, isHtml = false }: MessageContents): Words | undefined {
  return text === undefined ? undefined : { ...(subject !== undefined && { subject }), text, isHtml }
}

function senderOf({ medium, occasion }: Message) {
  if (occasion === 'AccountTakeOverNotification') return 'CustomEmailSender_AccountTakeOverNotification'
  return `${medium === 'EMAIL' ? 'CustomEmailSender' : 'CustomSMSSender'}_${occasion as Occasion}` as const
}

function senderCall(
  { vault, random }: EngineContext,
  { pool }: FlowCaller,
  user: User,
  { code, clientMetadata, takeover }: MessageContents,
  { medium }: Message,
) {
  if (takeover !== undefined) {
    const request = { type: 'customEmailSenderRequestV1' as const, clientMetadata, userAttributes: takeover }
    return { userName: user.name, request: request as never }
  }
  const type =
    medium === 'EMAIL' ? ('customEmailSenderRequestV1' as const) : ('customSMSSenderRequestV1' as const)
  const request = {
    code: encryptCode(vault, random, code),
    clientMetadata,
    userAttributes: eventAttributes(pool, user),
  }
  // Like the trigger source, the event type depends on the medium.
  return { userName: user.name, request: { type, ...request } as never }
}
