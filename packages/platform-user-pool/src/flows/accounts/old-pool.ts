import { createHmac } from 'node:crypto'
import { isObject } from '@signalbox/platform-runtime/config'
import { decodeJwt } from 'jose'
import type { MigrationSettings } from '../../config/migration-config.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { publicFetch } from '../../context/public-fetch.ts'

/** An account of a pool at the service. */
export interface OldAccount {
  readonly sub: string
  readonly username: string
  /** The attributes, without `sub`. */
  readonly attributes: readonly { readonly Name: string; readonly Value: string }[]
  readonly groups: readonly string[]
}

/** What a pool at the service says about a name and a password. */
export type OldPoolAnswer =
  | { readonly kind: 'account'; readonly account: OldAccount }
  /** The pool has no account with this name. */
  | { readonly kind: 'unknown' }
  /** The password is wrong, or the pool does not say that the name is unknown. */
  | { readonly kind: 'wrong' }
  /** The pool refuses the account, possibly without a look at the password. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The password is right, but the pool asks for more. */
  | { readonly kind: 'challenged'; readonly challenge: string }
  /** The pool refuses requests for now. */
  | { readonly kind: 'busy' }

/** The names that the service takes. Others are not sent there. */
const nameForm = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u

const passwordLimit = 256

/** How many milliseconds the service may take for one answer. */
const timeLimit = 5000

/** The maximum size of an answer in bytes. An account has at most 75 attributes of 2,048 characters. */
const mostBytes = 1024 * 1024

const send = publicFetch(() => true, mostBytes)

/**
 * Signs a user in at a pool of the service by the password flow, and reads the account.
 * @throws Error with a reason for the operator when the pool cannot be asked, or answers something else
 */
export async function askOldPool(
  { machineClock }: Pick<EngineContext, 'machineClock'>,
  settings: MigrationSettings,
  username: string,
  password: string,
): Promise<OldPoolAnswer> {
  if (!nameForm.test(username)) return { kind: 'unknown' }
  if (password === '' || password.length > passwordLimit) return { kind: 'wrong' }
  const { client: ClientId, clientSecret } = settings
  const call = caller(machineClock, settings)
  const begun = await call('InitiateAuth', {
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: {
      USERNAME: username,
      PASSWORD: password,
      ...(clientSecret !== undefined && {
        SECRET_HASH: createHmac('sha256', clientSecret).update(username).update(ClientId).digest('base64'),
      }),
    },
  })
  if ('type' in begun) return refusal(begun)
  const { ChallengeName, AuthenticationResult: tokens } = begun.answer
  if (typeof ChallengeName === 'string' && /^[A-Z_]{1,50}$/.test(ChallengeName))
    return { kind: 'challenged', challenge: ChallengeName }
  if (!isObject(tokens) || typeof tokens.AccessToken !== 'string' || typeof tokens.IdToken !== 'string')
    throw new Error('InitiateAuth answered neither tokens nor a challenge.')
  const groups = groupsIn(tokens.IdToken, settings)
  const read = await call('GetUser', { AccessToken: tokens.AccessToken })
  if ('type' in read) {
    if (isBusy(read)) return { kind: 'busy' }
    throw failure('GetUser', read)
  }
  return { kind: 'account', account: { ...accountOf(read.answer), groups } }
}

interface Refused {
  readonly type: string
  readonly message: string
}

type Answered = { readonly answer: { readonly [field: string]: unknown } } | Refused

/** Returns a function that calls an operation of the service which needs no credentials. */
function caller(clock: EngineContext['machineClock'], { endpoint }: MigrationSettings) {
  return async (operation: string, input: object): Promise<Answered> => {
    const end = new AbortController()
    const cancel = clock.after(timeLimit, () =>
      end.abort(new Error(`There was no answer within ${timeLimit / 1000} seconds.`)),
    )
    try {
      const response = await send(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify(input),
        signal: end.signal,
      })
      const answer = (await response.json().catch(() => undefined)) as unknown
      if (response.ok && isObject(answer)) return { answer }
      const type = isObject(answer) ? answer.__type : undefined
      if (response.status >= 500 || response.status < 400 || typeof type !== 'string')
        throw new Error(`${operation} was answered with status ${response.status}.`)
      const message = isObject(answer) ? answer.message : undefined
      // Some endpoints put a namespace before the name of an error.
      return { type: type.replace(/^.*#/, ''), message: typeof message === 'string' ? message : '' }
    } catch (error) {
      throw end.signal.aborted ? end.signal.reason : error
    } finally {
      cancel()
    }
  }
}

/** How messages begin by which the service refuses an account. Others with the same error are about the client. */
const aboutAccount = [
  'User is disabled',
  'User is not confirmed',
  'Password attempts exceeded',
  'Temporary password has expired',
  'User account has expired',
  'Password has expired',
  'Unable to login because of security reasons',
]

function refusal(refused: Refused): OldPoolAnswer {
  const { type, message } = refused
  if (isBusy(refused)) return { kind: 'busy' }
  switch (type) {
    case 'UserNotFoundException':
      return { kind: 'unknown' }
    case 'NotAuthorizedException':
      if (message === 'Incorrect username or password.') return { kind: 'wrong' }
      if (aboutAccount.some(text => message.startsWith(text))) return { kind: 'refused', message }
      // The error is also that of a client whose secret is wrong or missing.
      throw failure('InitiateAuth', refused)
    case 'UserNotConfirmedException':
    case 'PasswordResetRequiredException':
    case 'UserLambdaValidationException':
      return { kind: 'refused', message }
    default:
      throw failure('InitiateAuth', refused)
  }
}

function isBusy({ type }: Refused): boolean {
  return type === 'TooManyRequestsException' || type === 'LimitExceededException'
}

function failure(operation: string, { type, message }: Refused): Error {
  const text = `${type}: ${message}`.replaceAll(/\p{C}+/gu, ' ').slice(0, 300)
  return new Error(`${operation} was refused: ${text}`)
}

/**
 * Returns the groups that a token names. Its signature is not checked, because it comes from the service itself.
 * @throws Error for a token of another pool
 */
function groupsIn(token: string, { pool }: MigrationSettings): readonly string[] {
  const { iss, 'cognito:groups': groups = [] } = decodeJwt(token)
  if (iss?.endsWith(`/${pool}`) !== true) throw new Error('The client belongs to another pool.')
  if (!Array.isArray(groups) || !groups.every(each => typeof each === 'string'))
    throw new Error('The groups in the token are not a list of names.')
  return groups
}

/** Reads the answer of GetUser. */
function accountOf({ Username, UserAttributes }: { readonly [field: string]: unknown }) {
  const attributes = Array.isArray(UserAttributes) ? UserAttributes.map(attributeOf) : []
  const sub = attributes.find(({ Name }) => Name === 'sub')?.Value
  if (typeof Username !== 'string' || sub === undefined || sub === '')
    throw new Error('GetUser answered no user with a sub. The client needs the right to read attributes.')
  return { username: Username, sub, attributes: attributes.filter(({ Name }) => Name !== 'sub') }
}

function attributeOf(attribute: unknown) {
  const { Name, Value = '' } = isObject(attribute) ? attribute : {}
  if (typeof Name !== 'string' || typeof Value !== 'string')
    throw new Error('GetUser answered something else than attributes.')
  return { Name, Value }
}
