import { createHmac } from 'node:crypto'
import { type PasswordChallenge, srpClient } from './srp-client.ts'

/** Calls an operation of a pool's API. */
type Call = (operation: string, input: object) => Promise<object>

interface Texts {
  readonly [name: string]: string
}

/** The answer to a step of a sign-in, which contains tokens or a challenge. */
export interface SignInStep {
  readonly AuthenticationResult?: Texts
  readonly ChallengeName?: string
  readonly ChallengeParameters?: Texts
  readonly Session?: string
}

/** The flows in which `signInClient` can begin. */
export type SignInFlow = 'admin' | 'password' | 'srp' | 'custom'

/** The names of the fields that hold the user's answers, by challenge. */
export const answerFields: { readonly [challenge: string]: string } = {
  NEW_PASSWORD_REQUIRED: 'NEW_PASSWORD',
  CUSTOM_CHALLENGE: 'ANSWER',
  SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA_CODE',
  SMS_MFA: 'SMS_MFA_CODE',
  EMAIL_OTP: 'EMAIL_OTP_CODE',
}

/** Returns a client that signs users in as an application does, for `signalbox sign-in` and the console. */
export async function signInClient(
  call: Call,
  pool: string,
  client: { readonly id: string; readonly hasSecret: boolean },
) {
  const ClientId = client.id
  const hash = client.hasSecret ? await secretHash(call, pool, ClientId) : () => ({})

  const answer = (
    { ChallengeName, ChallengeParameters: asked = {}, Session }: SignInStep,
    user: string,
    answers: Texts,
  ): Promise<SignInStep> => {
    const USERNAME = asked.USER_ID_FOR_SRP ?? asked.USERNAME ?? user
    return call('RespondToAuthChallenge', {
      ...{ ClientId, ChallengeName, ChallengeResponses: { ...answers, USERNAME, ...hash(USERNAME) } },
      ...(Session !== undefined && { Session }),
    })
  }

  const initiate = (AuthFlow: string, user: string, more: Texts): Promise<SignInStep> =>
    call('InitiateAuth', { ClientId, AuthFlow, AuthParameters: { USERNAME: user, ...hash(user), ...more } })

  return {
    /**
     * Begins a sign-in, and proves the password if the pool asks for that. Custom authentication first tries to begin
     * without the password.
     */
    async begin(flow: SignInFlow, user: string, password: () => Promise<string>): Promise<SignInStep> {
      if (flow === 'admin') {
        const AuthParameters = { USERNAME: user, PASSWORD: await password(), ...hash(user) }
        const input = { UserPoolId: pool, ClientId, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH', AuthParameters }
        return call('AdminInitiateAuth', input)
      }
      if (flow === 'password') return initiate('USER_PASSWORD_AUTH', user, { PASSWORD: await password() })
      if (flow === 'custom') {
        try {
          return await initiate('CUSTOM_AUTH', user, {})
        } catch (error) {
          // The pool does not say that the functions end a sign-in because it has to begin with the password.
          if (!isRefusal(error)) throw error
        }
      }
      const half = srpClient(pool, await password())
      const { SRP_A } = half
      const step =
        flow === 'srp'
          ? await initiate('USER_SRP_AUTH', user, { SRP_A })
          : await initiate('CUSTOM_AUTH', user, { CHALLENGE_NAME: 'SRP_A', SRP_A })
      if (step.ChallengeName !== 'PASSWORD_VERIFIER') return step
      return answer(step, user, half.prove(step.ChallengeParameters as unknown as PasswordChallenge))
    },
    answer,
  }
}

/** Returns whether an error means that a pool refused a sign-in: an error of a client of its API, or of its own. */
function isRefusal(error: unknown): boolean {
  const { name, type, cause } = error as { name?: unknown; type?: unknown; cause?: unknown }
  return [name, type].includes('NotAuthorizedException') || (cause !== undefined && isRefusal(cause))
}

/** Returns a function that computes the parameter `SECRET_HASH` for a user name. */
async function secretHash(
  call: Call,
  UserPoolId: string,
  ClientId: string,
): Promise<(name: string) => Texts> {
  const { UserPoolClient } = (await call('DescribeUserPoolClient', { UserPoolId, ClientId })) as {
    readonly UserPoolClient: { readonly ClientSecret: string }
  }
  return name => ({
    SECRET_HASH: createHmac('sha256', UserPoolClient.ClientSecret)
      .update(name)
      .update(ClientId)
      .digest('base64'),
  })
}
