import { randomUuid } from '@signalbox/platform-runtime'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import { clientHalf, isProof, type ServerHalf, serverHalf } from '../../srp/exchange.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { findUser, invalidParameter } from '../../users/attributes.ts'
import { goOn } from '../factors/second-factors.ts'
import { noticeWrongAnswer } from '../messages/takeover-notice.ts'
import { type Consumption, consume } from './consumption.ts'
import { customRound } from './custom-auth.ts'
import { type Round, usedSession } from './sessions.ts'
import type { SignInResult } from './sign-in-result.ts'
import { locked, preAuthentication, type Subject, subjectOf, wrongPassword } from './subject.ts'

/** The server's state between the two steps of an exchange. The client gets the encrypted state and sends it back. */
interface Block extends ServerHalf {
  readonly id: string
  readonly client: string
  readonly sentName: string
  readonly A: string
  readonly ends: number
  /** The challenges so far, if the password is one of several challenges. */
  readonly rounds?: readonly Round[] | undefined
}

/**
 * Starts a sign-in by SRP, without storing anything.
 * @throws UserPoolError when the trigger function denies the request or fails
 */
export async function beginSrp(
  engine: EngineContext,
  caller: ClientCaller,
  sentName: string,
  A: string | undefined,
  validationData: Metadata,
): Promise<SignInResult> {
  const half = srpA(A)
  const { pool, client } = caller
  const isElsewhere = pool.migrateFrom !== undefined && !client.hideUsers
  if (isElsewhere && (await findUser(engine.store, pool, sentName)) === undefined)
    throw new UserPoolError(
      'UserNotFoundException',
      'User does not exist here. A user who comes from another pool signs in once by a flow that sends the password.',
    )
  const subject = await subjectOf(engine, caller, sentName)
  await preAuthentication(engine, caller, subject, validationData)
  return passwordVerifier(engine, caller, subject, sentName, half)
}

/**
 * Checks `SRP_A`, the client's public value in an SRP exchange.
 * @throws UserPoolError for a missing or invalid value
 */
export function srpA(A: string | undefined): string {
  if (A === undefined) throw invalidParameter('Missing required parameter SRP_A')
  const half = clientHalf(A)
  if (half === undefined) throw invalidParameter('SRP_A is not valid.')
  return half
}

/** Returns the challenge that asks the client to prove a password by SRP. */
export function passwordVerifier(
  { vault, random, clock }: EngineContext,
  { pool, client }: ClientCaller,
  { recognition }: Subject,
  sentName: string,
  A: string,
  rounds?: readonly Round[],
): SignInResult {
  const half = serverHalf(recognition.verifier, random)
  const block: Block = {
    ...half,
    id: randomUuid(random),
    client: client.id,
    sentName,
    A,
    ends: clock.now() + client.sessionLife,
    rounds,
  }
  return {
    challenge: 'PASSWORD_VERIFIER',
    parameters: {
      USER_ID_FOR_SRP: recognition.owner,
      USERNAME: recognition.owner,
      SALT: recognition.salt,
      SRP_B: half.B,
      SECRET_BLOCK: vault.encrypt(JSON.stringify(block), `block ${pool.id}`),
    },
    // Some clients require a session. This one is not stored, because the secret block holds the whole state.
    session: `${pool.id}.${block.id}`,
  }
}

/** The client's answers to the challenge PASSWORD_VERIFIER. */
export interface PasswordProof {
  readonly signature: string
  readonly block: string
  readonly timestamp: string
  /** The key of the device that the client claims to run on. */
  readonly device?: string | undefined
}

/** A time such as `Tue Nov 4 09:05:01 UTC 2025`. */
const timestampForm =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2} \d\d:\d\d:\d\d [A-Z]{1,5} \d{4}$/

/**
 * Checks the proof of a password.
 * @throws UserPoolError for a wrong proof, and for a proof that was already used
 */
export async function proveBySrp(
  engine: EngineContext,
  caller: ClientCaller,
  { signature, block: encrypted, timestamp, device }: PasswordProof,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { vault, clock, store } = engine
  const { pool, client } = caller
  if (!timestampForm.test(timestamp))
    throw invalidParameter('TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.')
  const text = vault.decrypt(encrypted, `block ${pool.id}`)
  const block = text === undefined ? undefined : (JSON.parse(text) as Block)
  if (block === undefined || block.client !== client.id || block.ends <= clock.now()) throw wrongPassword()
  const subject = await subjectOf(engine, caller, block.sentName)
  const { lockKey, user, recognition } = subject
  if (await store.isLocked(pool.id, lockKey, clock.now())) throw locked()
  if ((await store.credential(pool.id, 'spent', block.id, clock.now())) !== undefined) throw usedSession()
  const owner = { poolName: pool.poolName, userName: recognition.owner }
  const proof = { signature, block: Buffer.from(encrypted, 'base64'), timestamp }
  const isRight = isProof(owner, recognition.verifier, block, block.A, proof) && user !== undefined
  const consumption: Consumption = {
    adds: [{ kind: 'spent', id: block.id, user: user?.id ?? '', expires: block.ends, value: '' }],
    attempt: { key: lockKey, isRight },
  }
  if (block.rounds !== undefined) {
    const rounds = [
      ...block.rounds,
      { challengeName: 'PASSWORD_VERIFIER', challengeResult: isRight, challengeMetadata: null },
    ]
    if (isRight)
      return goOn(engine, caller, user!, block.sentName, consumption, clientMetadata, { device, rounds })
    try {
      return await customRound(engine, caller, subject, block.sentName, rounds, consumption, clientMetadata)
    } finally {
      // The function of the pool often ends the sign-in, which is an error.
      await noticeWrongAnswer(engine, caller, user, lockKey, block.sentName)
    }
  }
  if (!isRight) {
    await consume(engine, caller, consumption)
    await noticeWrongAnswer(engine, caller, user, lockKey, block.sentName)
    throw wrongPassword()
  }
  return goOn(engine, caller, user!, block.sentName, consumption, clientMetadata, { device })
}
