import { setTimeout as delay } from 'node:timers/promises'
import { srpClient, totpAt } from '@signalbox/platform-user-pool/testing/parts'
import { softwareAuthenticator } from '@signalbox/platform-user-pool/testing/software-authenticator'
import { type Answer, clientId as ClientId, poolId as UserPoolId } from './pool-client.ts'

/** Milliseconds within which a code must arrive after its request was acknowledged. */
const codeLimit = 90_000

/** Calls to a platform that may be killed. */
export interface Calls {
  /** Sends a request. Resolves to undefined if the platform was killed before it answered. */
  readonly once: (operation: string, input: object) => Promise<Answer | undefined>
  /** Repeats a request until a platform process answers it. */
  readonly insist: (operation: string, input: object) => Promise<Answer>
}

/** A request that has succeeded, and that must be refused when it is sent again. */
interface Spent {
  readonly what: string
  readonly operation: string
  readonly input: object
}

/** The state of a user that the platform has acknowledged. */
export interface Visit {
  readonly name: string
  /** The current password. */
  password: string
  /** Passwords that are no longer valid. */
  readonly oldPasswords: string[]
  /** The current refresh token. Undefined after the sign-in that issued it has ended. */
  refreshToken: string | undefined
  /** The key of the confirmed device, if there is one. */
  device: string | undefined
  /** Whether the account has an authenticator app. If so, every sign-in must ask for its code. */
  hasFactor: boolean
  /** The authenticator code that was used last. */
  usedCode: string | undefined
  /** Returns the passkey's answer to the options of a challenge, both as JSON. Undefined if no passkey was added. */
  provePasskey: ((options: string) => string) | undefined
  /** The requests that worked once, in order. */
  readonly spent: Spent[]
}

/** Reports a violation. */
export type Report = (violation: string) => void

/**
 * Performs a user's sign-up, confirmation, sign-ins, refreshes and password reset on a platform that may be killed at
 * any time. A request without an answer is sent again. The second answer must be a success, or the error for a change
 * that was already made.
 */
export async function visit(name: string, { once, insist }: Calls, report: Report): Promise<Visit> {
  const Username = name
  const who = { ClientId, Username }
  // Text messages are only stored, not sent, so an administrator can list them.
  const phone = `+4915${name.replace(/\D/g, '').padStart(8, '0')}`
  const done: Visit = {
    name,
    password: 'Right-7even',
    oldPasswords: [],
    refreshToken: undefined,
    device: undefined,
    hasFactor: false,
    usedCode: undefined,
    provePasskey: undefined,
    spent: [],
  }

  /**
   * Sends a request that works only once. The answer is undefined if the request had its effect but the platform
   * was killed before it answered.
   * @param isDone returns whether an answer shows the effect, after a number of lost answers
   */
  const doOnce = async (
    what: string,
    operation: string,
    input: object,
    isDone: (answer: Answer, lost: number) => boolean,
  ) => {
    for (let lost = 0; ; ) {
      const answer = await once(operation, input)
      if (answer === undefined) {
        lost++
        continue
      }
      if ('ok' in answer) {
        done.spent.push({ what, operation, input })
        return answer.ok
      }
      if (lost > 0 && isDone(answer, lost)) {
        done.spent.push({ what, operation, input })
        return undefined
      }
      report(`${what} of ${name} was refused: ${answer.error.name}: ${answer.error.message}`)
      return undefined
    }
  }

  /** Waits until a code arrives. A message whose delivery was interrupted arrives later. */
  const codeOf = async (occasion: string): Promise<string> => {
    for (const end = Date.now() + codeLimit; ; await delay(500)) {
      const code = await codeNow(occasion)
      if (typeof code === 'string') return code
      if (Date.now() < end) continue
      report(`${name} was acknowledged a code (${occasion}) that is not there, among ${code.among}`)
      return ''
    }
  }

  const codeNow = async (occasion: string): Promise<string | { readonly among: string }> => {
    const answer = await insist('ListMessages', { UserPoolId, Limit: 1000 })
    const messages = 'ok' in answer ? (answer.ok.Messages as readonly MessageRow[]) : []
    const own = messages.filter(({ To }) => To === phone)
    const found = own.find(({ Occasion }) => Occasion === occasion)
    const code = /\d{6}/.exec(found?.Text ?? '')?.[0]
    return code ?? { among: JSON.stringify('ok' in answer ? own : answer) }
  }

  await doOnce(
    'sign-up',
    'SignUp',
    {
      ...who,
      Password: done.password,
      UserAttributes: [{ Name: 'phone_number', Value: phone }],
    },
    named('UsernameExistsException'),
  )
  const ConfirmationCode = await codeOf('SignUp')
  await doOnce('confirmation', 'ConfirmSignUp', { ...who, ConfirmationCode }, named('CodeMismatchException'))

  const signInBySrp = async () => {
    const client = srpClient(UserPoolId, done.password)
    const begun = await insist('InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: name, SRP_A: client.SRP_A },
    })
    if (!('ok' in begun)) return report(`${name} could not begin a sign-in: ${begun.error.message}`)
    const ChallengeResponses = client.prove(begun.ok.ChallengeParameters as never)
    const input = { ClientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses }
    keepToken(await doOnce('proof of a password', 'RespondToAuthChallenge', input, usedSession))
  }

  const signInByChallenge = async () => {
    const begun = await insist('InitiateAuth', {
      ClientId,
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME: name },
    })
    if (!('ok' in begun)) return report(`${name} could not begin a sign-in: ${begun.error.message}`)
    const input = {
      ClientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session: begun.ok.Session,
      ChallengeResponses: { USERNAME: name, ANSWER: '7' },
    }
    keepToken(await doOnce('session', 'RespondToAuthChallenge', input, usedSession))
  }

  let tokens: SoakTokens | undefined

  const keepToken = (answer: { readonly [field: string]: unknown } | undefined) => {
    tokens = answer?.AuthenticationResult as SoakTokens | undefined
    done.refreshToken = tokens?.RefreshToken
  }

  const rotate = async () => {
    if (done.refreshToken === undefined) return
    const input = { ClientId, RefreshToken: done.refreshToken }
    const isReuse = named('RefreshTokenReuseException')
    // The repeated request revokes the sign-in, and the answer to that request may also be lost.
    const isDone = (answer: Answer, lost: number) => isReuse(answer) || (lost > 1 && isRevoked(answer))
    keepToken(await doOnce('refresh token', 'GetTokensFromRefreshToken', input, isDone))
  }

  await signInByChallenge()
  for (let round = 0; round < 3; round++) await rotate()

  // A repeated request replaces the code, so it is safe to send this request again.
  await insist('ForgotPassword', who)
  const Password = 'Other-8ight'
  const code = await codeOf('ForgotPassword')
  await doOnce(
    'forgotten password',
    'ConfirmForgotPassword',
    { ...who, ConfirmationCode: code, Password },
    named('CodeMismatchException'),
  )
  if (done.refreshToken !== undefined)
    done.spent.push({
      what: 'refresh token from before the password was replaced',
      operation: 'GetTokensFromRefreshToken',
      input: { ClientId, RefreshToken: done.refreshToken },
    })
  done.oldPasswords.push(done.password)
  done.password = Password

  /** Adds a passkey and signs in with it. Does nothing if a kill lost the tokens. */
  const signInByPasskey = async () => {
    const AccessToken = tokens?.AccessToken
    if (AccessToken === undefined) return
    const authenticator = softwareAuthenticator('https://pools.example')
    const started = await insist('StartWebAuthnRegistration', { AccessToken })
    if (!('ok' in started))
      return report(`${name} could not begin to add a passkey: ${started.error.message}`)
    const Credential = authenticator.create(started.ok.CredentialCreationOptions as never)
    await doOnce(
      'new passkey',
      'CompleteWebAuthnRegistration',
      { AccessToken, Credential },
      named('WebAuthnChallengeNotFoundException'),
    )
    const prove = (options: string) => JSON.stringify(authenticator.get(JSON.parse(options)))
    done.provePasskey = prove
    const begun = await insist('InitiateAuth', passkeyAuth(name))
    if (!('ok' in begun) || begun.ok.ChallengeName !== 'WEB_AUTHN')
      return report(`${name} was not asked for the passkey`)
    const answer = passkeyAnswer(name, begun.ok, prove)
    keepToken(await doOnce('proof of a passkey', 'RespondToAuthChallenge', answer, usedSession))
  }

  /** Sets up an authenticator and signs in with it. Does nothing if a kill lost the tokens. */
  const signInByFactor = async () => {
    const { AccessToken, NewDeviceMetadata } = tokens ?? {}
    if (AccessToken === undefined || NewDeviceMetadata === undefined) return
    const { DeviceKey } = NewDeviceMetadata
    const DeviceSecretVerifierConfig = { PasswordVerifier: 'AQID', Salt: 'BAUG' }
    const confirm = { AccessToken, DeviceKey, DeviceSecretVerifierConfig }
    await doOnce('confirmation of a device', 'ConfirmDevice', confirm, named('InvalidParameterException'))
    done.device = DeviceKey
    const associated = await insist('AssociateSoftwareToken', { AccessToken })
    if (!('ok' in associated)) return report(`${name} got no authenticator: ${associated.error.message}`)
    const secret = String(associated.ok.SecretCode)
    const first = { AccessToken, UserCode: totpAt(secret, Date.now()) }
    const isDone = named('InvalidParameterException')
    await doOnce('first code of an authenticator', 'VerifySoftwareToken', first, isDone)
    await insist('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } })
    done.hasFactor = true
    const AuthParameters = { USERNAME: name, PASSWORD: done.password }
    const begun = await insist('InitiateAuth', { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters })
    if (!('ok' in begun) || begun.ok.ChallengeName !== 'SOFTWARE_TOKEN_MFA')
      return report(`${name} was not asked for a second factor`)
    // The first code used up the current time step, so this is the code of the next one.
    const SOFTWARE_TOKEN_MFA_CODE = totpAt(secret, Date.now() + 30_000)
    const input = {
      ClientId,
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      Session: begun.ok.Session,
      ChallengeResponses: { USERNAME: name, SOFTWARE_TOKEN_MFA_CODE },
    }
    keepToken(await doOnce('code of an authenticator', 'RespondToAuthChallenge', input, usedSession))
    done.usedCode = SOFTWARE_TOKEN_MFA_CODE
  }

  await signInBySrp()
  await signInByPasskey()
  for (let round = 0; round < 3; round++) await rotate()
  await signInBySrp()
  await signInByFactor()
  for (let round = 0; round < 3; round++) await rotate()
  return done
}

/** Returns the input that begins a sign-in with a passkey. */
export function passkeyAuth(name: string): object {
  const AuthParameters = { USERNAME: name, PREFERRED_CHALLENGE: 'WEB_AUTHN' }
  return { ClientId, AuthFlow: 'USER_AUTH', AuthParameters }
}

/** Returns the input that answers a passkey challenge. */
export function passkeyAnswer(
  name: string,
  asked: { readonly [field: string]: unknown },
  prove: (options: string) => string,
): object {
  const { CREDENTIAL_REQUEST_OPTIONS } = (asked.ChallengeParameters ?? {}) as {
    readonly [field: string]: string
  }
  return {
    ClientId,
    ChallengeName: 'WEB_AUTHN',
    Session: asked.Session,
    ChallengeResponses: { USERNAME: name, CREDENTIAL: prove(CREDENTIAL_REQUEST_OPTIONS ?? '{}') },
  }
}

interface SoakTokens {
  readonly AccessToken?: string
  readonly RefreshToken?: string
  readonly NewDeviceMetadata?: { readonly DeviceKey: string }
}

interface MessageRow {
  readonly To: string
  readonly Occasion: string
  readonly Text?: string
}

const named = (name: string) => (answer: Answer) => 'error' in answer && answer.error.name === name

const isRevoked = (answer: Answer) =>
  'error' in answer && answer.error.message === 'Refresh Token has been revoked'

const usedSession = (answer: Answer) =>
  'error' in answer && answer.error.message === 'Invalid session for the user, session can only be used once.'
