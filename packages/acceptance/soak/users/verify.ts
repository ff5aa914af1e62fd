import { clientId as ClientId, poolId as UserPoolId } from './pool-client.ts'
import { type Calls, passkeyAnswer, passkeyAuth, type Report, type Visit } from './visitor.ts'

/** The state after a soak. */
export interface Found {
  readonly users: number
  /** The number of requests that were sent a second time and therefore refused. */
  readonly refused: number
}

/**
 * Checks that a platform kept its acknowledged changes: every user exists once, is confirmed, and has the last
 * password; valid tokens can be refreshed; and requests that work only once are refused when they are repeated.
 */
export async function verify(
  visits: readonly Visit[],
  { insist }: Pick<Calls, 'insist'>,
  report: Report,
): Promise<Found> {
  const names = await allNames(insist)
  const expected = new Set(visits.map(({ name }) => name))
  for (const name of new Set(names))
    if (!expected.has(name)) report(`${name} is there, and has not signed up`)
  let refused = 0
  for (const each of visits) {
    const { name, password, oldPasswords, refreshToken, device, hasFactor, usedCode, provePasskey, spent } =
      each
    const times = names.filter(each => each === name).length
    if (times !== 1) report(`${name} is there ${times} times`)
    const begin = (PASSWORD: string) =>
      insist('InitiateAuth', {
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: name, PASSWORD },
      })
    const signIn = async (PASSWORD: string) => 'ok' in (await begin(PASSWORD))
    const begun = await begin(password)
    const isAsked = 'ok' in begun && begun.ok.ChallengeName === 'SOFTWARE_TOKEN_MFA'
    if (hasFactor && !isAsked) report(`${name} is not asked for the second factor that was acknowledged`)
    if (isAsked && usedCode !== undefined) {
      const answer = await insist('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'SOFTWARE_TOKEN_MFA',
        Session: begun.ok.Session,
        ChallengeResponses: { USERNAME: name, SOFTWARE_TOKEN_MFA_CODE: usedCode },
      })
      if ('ok' in answer) report(`a code of the authenticator of ${name} could be used twice`)
      else refused++
    }
    if (device !== undefined) {
      const found = await insist('AdminGetDevice', { UserPoolId, Username: name, DeviceKey: device })
      if (!('ok' in found)) report(`${name} has lost a device that was acknowledged`)
    }
    if (provePasskey !== undefined) {
      const asked = await insist('InitiateAuth', passkeyAuth(name))
      const isIn =
        'ok' in asked &&
        'ok' in (await insist('RespondToAuthChallenge', passkeyAnswer(name, asked.ok, provePasskey)))
      if (!isIn) report(`${name} cannot sign in by the passkey that was acknowledged`)
    }
    if (!('ok' in begun)) report(`${name} cannot sign in with the password that was acknowledged`)
    for (const old of oldPasswords)
      if (await signIn(old)) report(`${name} can sign in with a password that was replaced`)
    if (refreshToken !== undefined) {
      const answer = await insist('GetTokensFromRefreshToken', { ClientId, RefreshToken: refreshToken })
      if (!('ok' in answer)) report(`${name} has a refresh token that is refused: ${answer.error.message}`)
    }
    for (const { what, operation, input } of spent) {
      if ('ok' in (await insist(operation, input))) report(`a ${what} of ${name} could be used twice`)
      else refused++
    }
  }
  return { users: names.length, refused }
}

async function allNames(insist: Calls['insist']): Promise<readonly string[]> {
  const names: string[] = []
  let PaginationToken: unknown
  do {
    const answer = await insist('ListUsers', {
      UserPoolId,
      ...(PaginationToken !== undefined && { PaginationToken }),
    })
    if (!('ok' in answer)) throw new Error(`ListUsers was refused: ${answer.error.message}`)
    names.push(
      ...(answer.ok.Users as readonly { readonly Username: string }[]).map(({ Username }) => Username),
    )
    PaginationToken = answer.ok.PaginationToken
  } while (PaginationToken !== undefined)
  return names
}
