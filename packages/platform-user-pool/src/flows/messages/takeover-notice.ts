import { randomUuid } from '@signalbox/platform-runtime'
import { isLeaked } from '../../config/takeover-config.ts'
import type { ClientCaller, EngineContext, FlowCaller } from '../../context/engine-context.ts'
import type { User } from '../../store/user-pool-store.ts'
import { feignedDestination } from '../accounts/hidden-users.ts'
import { apply } from '../apply.ts'
import { keepRefusedSignIn } from '../sign-in/sign-in-history.ts'
import { destinationOf } from './destinations.ts'
import { deliver, newNotice } from './messages.ts'
import type { Words } from './words.ts'

/** What makes a sign-in look like one of somebody else. */
type Suspicion = WrongAnswers | 'leaked password'

/** Wrong passwords, wrong codes of a second factor, or wrong codes that a sign-in begins with. */
type WrongAnswers = 'wrong passwords' | 'wrong codes' | 'wrong first codes'

/** What was wrong. The first codes of a sign-in are neither. */
const wrongFactor = {
  'wrong passwords': 'Password',
  'wrong codes': 'Mfa',
  'wrong first codes': undefined,
} as const

/** Milliseconds in which a user gets at most one notice of a kind. */
const pause = 24 * 3_600_000

/**
 * Keeps a refused sign-in in the history of its user, and tells the user of wrong passwords or codes if the latest one has locked the account. A name without an account gets a
 * notice that is never sent, after the same work. Everything but a read happens after the answer.
 * @param lockKey the key by which wrong answers are counted
 * @param sentName the name as the client sent it
 */
export async function noticeWrongAnswer(
  engine: EngineContext,
  caller: ClientCaller,
  user: User | undefined,
  lockKey: string,
  sentName: string,
  suspicion: WrongAnswers = 'wrong passwords',
): Promise<void> {
  const { pool } = caller
  if (pool.takeover === undefined && pool.history === undefined) return
  const isLocking = await engine.store.isLocked(pool.id, lockKey, engine.clock.now())
  keepRefusedSignIn(engine, caller, user, { factor: wrongFactor[suspicion], isLocking })
  if (pool.takeover === undefined || !isLocking) return
  noticeLater(engine, caller, user, lockKey, sentName, suspicion)
}

/** Tells a user who has signed in with a leaked password to choose another one, after the answer. */
export function noticeLeakedPassword(
  engine: EngineContext,
  caller: ClientCaller,
  user: User,
  lockKey: string,
  password: string,
): void {
  if (isLeaked(caller.pool.takeover, password))
    noticeLater(engine, caller, user, lockKey, user.name, 'leaked password')
}

function noticeLater(
  engine: EngineContext,
  caller: ClientCaller,
  user: User | undefined,
  key: string,
  sentName: string,
  suspicion: Suspicion,
): void {
  const { store, clock } = engine
  const { pool } = caller
  const send = async () => {
    await new Promise(resolve => setImmediate(resolve))
    const limit = { most: 1, window: pause }
    if (!(await store.count(pool.id, `${suspicion} notice ${key}`, limit, clock.now()))) return
    const isVerified = user?.attributes.email_verified === 'true'
    const destination = isVerified ? destinationOf(user.attributes, 'email') : undefined
    const to = destination ?? { ...feignedDestination(engine, pool, sentName), medium: 'EMAIL' as const }
    const about = user ?? { id: '', name: sentName }
    const notice = newNotice(
      engine,
      caller,
      about,
      to,
      wordsOf(suspicion, about.name, caller),
      attributesOf(engine, caller, suspicion, about),
      destination === undefined,
    )
    await apply(engine, { pool: pool.id, now: clock.now(), messages: [notice] })
    await deliver(engine, caller, user as User, notice)
  }
  engine.background(send())
}

/** Returns the attributes of the event. There are no links for feedback, and no places of addresses. */
function attributesOf(
  { random, clock }: EngineContext,
  { address, sdk }: FlowCaller,
  suspicion: Suspicion,
  { id, name }: Pick<User, 'id' | 'name'>,
): { readonly [name: string]: string } {
  return {
    sub: id,
    EVENT_ID: randomUuid(random),
    USER_NAME: name,
    ...(address !== undefined && { IP_ADDRESS: address }),
    DEVICE_NAME: sdk,
    LOGIN_TIME: new Date(clock.wall()).toISOString(),
    // Wrong passwords and codes lock the account for some time. A leaked password signs its user in.
    ACCOUNT_TAKE_OVER_ACTION: suspicion === 'leaked password' ? 'NO_ACTION' : 'BLOCK',
  }
}

function wordsOf(suspicion: Suspicion, name: string, { address }: FlowCaller): Words {
  const from = address === undefined ? '' : ` from the address ${address}`
  return { ...wordsFor[suspicion](name, from), isHtml: false }
}

const wordsFor: { readonly [S in Suspicion]: (name: string, from: string) => Omit<Words, 'isHtml'> } = {
  'wrong passwords': (name, from) => ({
    subject: 'Wrong passwords for your account',
    text: `Several wrong passwords were entered for your account ${name}${from}. Nobody was signed in with them. If that was not you, choose a password that nobody can guess, and that you use nowhere else.`,
  }),
  'wrong codes': (name, from) => ({
    subject: 'Wrong codes for your account',
    text: `Several wrong codes were entered at a sign-in to your account ${name}${from}. Nobody was signed in with them. If that was not you, somebody might know your password: choose another one, and use it nowhere else.`,
  }),
  'wrong first codes': (name, from) => ({
    subject: 'Wrong codes for your account',
    text: `Several wrong codes were entered at a sign-in to your account ${name}${from}. Nobody was signed in with them. If that was not you, give your codes to nobody who asks for them.`,
  }),
  'leaked password': (name, from) => ({
    subject: 'Choose another password',
    text: `The password of your account ${name} is in a list of passwords that others know. Somebody has signed in with it${from}. Choose another password, and use it nowhere else.`,
  }),
}
