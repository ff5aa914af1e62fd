import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { StoredUser } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { normalized } from '../../users/attributes.ts'
import { hiddenKey } from '../accounts/hidden-users.ts'
import {
  originOf,
  type Passkey,
  passkeyCredential,
  passkeyOf,
  passkeysOf,
  passkeyTimeLimit,
} from '../factors/passkeys.ts'
import { goOn } from '../factors/second-factors.ts'
import {
  type AuthenticationResponse,
  bytes,
  clientDataOf,
  relyingPartyOf,
  webAuthn,
} from '../factors/web-authn.ts'
import { type Consumption, consume, withAdded } from './consumption.ts'
import { answeringAlone, type FoundSession, findSession, newSession, type Progress } from './sessions.ts'
import type { SignInResult } from './sign-in-result.ts'

/** The data at the start of a sign-in by passkey. */
interface Asked {
  /** The account. Undefined for an unknown name, in which case the pool asks for a passkey that does not exist. */
  readonly user: StoredUser | undefined
  /** The user name in the response. */
  readonly name: string
  readonly sentName: string
  /** Whether the passkey has to count as both factors. */
  readonly isBoth: boolean
  readonly progress: Progress
}

/** Asks for a passkey. The challenge contains the options for `navigator.credentials.get()` as JSON. */
export async function askForPasskey(
  engine: EngineContext,
  caller: ClientCaller,
  { user, name, sentName, isBoth, progress }: Asked,
  consumption: Consumption,
): Promise<SignInResult> {
  const { pool, client } = caller
  // The same data is read for an unknown name, so that both cases take equally long.
  const own = await passkeysOf(engine, pool, { id: user?.id ?? hiddenKey(engine, pool, sentName) })
  const passkeys = user === undefined ? feignedPasskeys(engine, pool, sentName) : own
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(engine, pool),
    challenge: Uint8Array.from(engine.random(32)),
    // The order of transports differs between browsers, so they are sorted, like the transports of made-up passkeys.
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: transports.toSorted() })),
    userVerification: isBoth ? 'required' : pool.passkeys.userVerification,
    timeout: Math.min(passkeyTimeLimit, client.sessionLife),
  })
  const session = newSession(engine, caller, {
    challenge: 'WEB_AUTHN',
    signed: options.challenge,
    isBoth,
    client: client.id,
    user: user?.id,
    sentName,
    progress,
  })
  await consume(engine, caller, withAdded(consumption, session.credential))
  return {
    challenge: 'WEB_AUTHN',
    parameters: {
      USER_ID_FOR_SRP: name,
      USERNAME: name,
      CREDENTIAL_REQUEST_OPTIONS: JSON.stringify(options),
    },
    session: session.handle,
  }
}

/** A public key that checks signatures of made-up passkeys. It belongs to no account. */
const feignedKey = Buffer.from(
  'a5010203262001215820' +
    '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '225820' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
).toString('base64url')

/**
 * The kinds of passkeys that common authenticators create, each with the size of its ids in bytes and its transports.
 */
const feignedKinds = [
  { size: 32, transports: ['hybrid', 'internal'] },
  { size: 20, transports: ['hybrid', 'internal'] },
  { size: 16, transports: ['hybrid', 'internal'] },
  { size: 32, transports: ['internal'] },
  { size: 48, transports: ['nfc', 'usb'] },
  { size: 64, transports: ['usb'] },
]

/**
 * Returns the made-up passkeys of a name without an account. A quarter of such names have two passkeys, and the rest
 * have one. The same name always gets the same passkeys. See docs/decisions/user-pools.md#hidden-users.
 */
function feignedPasskeys(engine: EngineContext, pool: PoolSettings, sentName: string): readonly Passkey[] {
  const derive = (what: string, size: number) =>
    engine.vault.derive(normalized(sentName), `feigned passkey ${what} ${pool.id}`, size)
  const [count = 0, ...kinds] = derive('kinds', 3)
  return kinds.slice(0, count % 4 === 0 ? 2 : 1).map((drawn, at) => {
    const { size, transports } = feignedKinds[drawn % feignedKinds.length]!
    return {
      id: derive(String(at), size).toString('base64url'),
      publicKey: feignedKey,
      counter: 0,
      transports,
      attachment: undefined,
      relyingParty: relyingPartyOf(engine, pool),
      created: 0,
    }
  })
}

/**
 * Checks the proof of a passkey. Uses up the session, even for a wrong proof.
 * @throws UserPoolError for a wrong proof, and for a session that was already used
 */
export async function answerPasskey(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  response: AuthenticationResponse,
  device: string | undefined,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const found = await findSession(engine, caller, 'WEB_AUTHN', handle)
  return answeringAlone(engine, found, () =>
    checkPasskey(engine, caller, found, response, device, clientMetadata),
  )
}

async function checkPasskey(
  engine: EngineContext,
  caller: ClientCaller,
  { state, use }: FoundSession<'WEB_AUTHN'>,
  response: AuthenticationResponse,
  device: string | undefined,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { pool } = caller
  const { sentName, isBoth, progress = {} } = state
  const id = state.user ?? hiddenKey(engine, pool, sentName)
  const user = await engine.store.user(pool.id, id)
  const found = await passkeyOf(engine, pool, { id }, response.id)
  const passkey = found?.passkey ?? feignedPasskeys(engine, pool, sentName)[0]!
  const needsVerification = isBoth || pool.passkeys.userVerification === 'required'
  const proof = await provedPasskey(engine, pool, state.signed, passkey, response, needsVerification)
  const isOwn = isOwnHandle(user, response.response.userHandle)
  if (proof === undefined || user === undefined || found === undefined || !isOwn) {
    await consume(engine, caller, { uses: [use] })
    throw new UserPoolError('NotAuthorizedException', 'The passkey could not be verified.')
  }
  const { kind, value } = found.credential
  const { newCounter: counter, userVerified } = proof
  const consumption = {
    uses: [use, { kind, id: found.credential.id, value }],
    puts: [passkeyCredential(engine, pool, user.id, { ...passkey, counter })],
  }
  return goOn(engine, caller, user, sentName, consumption, clientMetadata, {
    ...progress,
    ...(device !== undefined && { device }),
    ...(pool.passkeys.bothFactors && userVerified && { isFactorProved: true }),
  })
}

/**
 * Returns whether the user handle in an answer belongs to the passkey's account. Some authenticators return no user
 * handle.
 */
function isOwnHandle(user: StoredUser | undefined, handle: string | undefined): boolean {
  return handle === undefined || handle === Buffer.from(user?.id ?? '').toString('base64url')
}

/**
 * Checks the proof of a passkey. Returns undefined for a wrong proof. If the signature count has not increased, the
 * proof is wrong, because the passkey might have been copied.
 */
async function provedPasskey(
  engine: EngineContext,
  pool: PoolSettings,
  challenge: string,
  { id, publicKey, counter }: Passkey,
  response: AuthenticationResponse,
  requireUserVerification: boolean,
) {
  const relyingParty = relyingPartyOf(engine, pool)
  const { verifyAuthenticationResponse } = await webAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, authenticatorAttachment: undefined, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: originOf(clientDataOf(response.response.clientDataJSON), relyingParty),
      expectedRPID: relyingParty,
      credential: { id, publicKey: bytes(publicKey), counter },
      requireUserVerification,
    })
    return verified ? authenticationInfo : undefined
  } catch {
    return undefined
  }
}
