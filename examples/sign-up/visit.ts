import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserAttribute,
  CognitoUserPool,
  type CognitoUserSession,
} from 'amazon-cognito-identity-js'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { ExamplePlatform } from '../example-platform.ts'
import { outbox } from './services.ts'

/** One step of a visit, and its result. */
export interface VisitStep {
  readonly happens: string
  readonly concluded: string
  readonly expected: string
}

const password = 'Right-7even'

/** Signs Ada up and in step by step, with an unmodified AWS client, and uses her token at the shop. */
export async function* visit({
  staff,
  inbox,
  shop,
}: Pick<ExamplePlatform, 'staff' | 'inbox' | 'shop'>): AsyncGenerator<VisitStep> {
  const Pool = new CognitoUserPool({
    UserPoolId: staff.id,
    ClientId: staff.clientId('web'),
    endpoint: staff.url,
  })
  const ada = new CognitoUser({ Username: 'ada', Pool })
  const email = new CognitoUserAttribute({ Name: 'email', Value: 'ada@office.example' })
  const invitation = new CognitoUserAttribute({ Name: 'invitation', Value: 'spring' })
  const signUp = (invitations: CognitoUserAttribute[]) =>
    resultOf((resolve, reject) =>
      Pool.signUp('ada', password, [email], invitations, (error, result) =>
        error ? reject(error) : resolve(`the code goes to ${destinationOf(result)}`),
      ),
    )

  yield {
    happens: 'Ada signs up without an invitation',
    concluded: await signUp([]),
    expected: 'UserLambdaValidationException: PreSignUp failed with error You need an invitation.',
  }
  yield {
    happens: 'Ada signs up with her invitation',
    concluded: await signUp([invitation]),
    expected: 'the code goes to a***@o***',
  }

  const [mail] = await inbox('ada@office.example')
  yield {
    happens: 'the mail is in her mailbox, in the words of the function',
    concluded: `${mail?.subject}: ${mail?.html?.replace(/\d{6}/, 'NNNNNN').trim()}`,
    expected: 'Welcome, stranger: <p>Hello stranger, your code is NNNNNN</p>',
  }
  const code = /\d{6}/.exec(mail?.html ?? '')?.[0] ?? ''
  const confirm = (code: string) =>
    resultOf((resolve, reject) =>
      ada.confirmRegistration(code, false, error => (error ? reject(error) : resolve('confirmed'))),
    )
  yield {
    happens: 'Ada mistypes the code',
    concluded: await confirm(code === '000000' ? '000001' : '000000'),
    expected: 'CodeMismatchException: Invalid verification code provided, please try again.',
  }
  yield {
    happens: 'Ada types in the code of the mail',
    concluded: `${await confirm(code)}, and ${(await staff.users.get('ada'))?.status}`,
    expected: 'confirmed, and CONFIRMED',
  }

  ada.setAuthenticationFlowType('CUSTOM_AUTH')
  const signIn = (Password: string, answers: readonly (() => string)[]) => {
    const left = [...answers]
    return new Promise<CognitoUserSession>((onSuccess, onFailure) => {
      const callbacks = {
        onSuccess,
        onFailure,
        customChallenge: () => ada.sendCustomChallengeAnswer(left.shift()?.() ?? '', callbacks),
      }
      ada.authenticateUser(new AuthenticationDetails({ Username: 'ada', Password }), callbacks)
    })
  }
  yield {
    happens: 'Ada signs in with a wrong password, by SRP',
    concluded: await resultOf((resolve, reject) =>
      signIn('Wrong-7even', []).then(() => resolve('in'), reject),
    ),
    expected: 'NotAuthorizedException: Incorrect username or password.',
  }
  const session = await signIn(password, [() => 'wrong', () => outbox.sent.at(-1)!.slice(-6)])
  yield {
    happens: 'Ada signs in with her password and, at the second attempt, the one-time code of her mail',
    concluded: `in, as ${session.getIdToken().payload['cognito:username']}`,
    expected: 'in, as ada',
  }

  const keys = createRemoteJWKSet(new URL(`${staff.issuer}/.well-known/jwks.json`))
  const token = session.getAccessToken().getJwtToken()
  const { payload } = await jwtVerify(token, keys, { issuer: staff.issuer })
  yield {
    happens: 'her access token is checked with the published keys, and has the claim of the function',
    concluded: `${payload.token_use} token of ${payload.username}, tenant ${payload.tenant}`,
    expected: 'access token of ada, tenant eu-central-1_Staff01',
  }

  const member = async (headers: { readonly authorization?: string }) => {
    const response = await fetch(`${shop}/member`, { headers })
    return `${response.status} ${response.headers.get('www-authenticate') ?? (await response.text())}`
  }
  yield { happens: 'the shop is asked without a token', concluded: await member({}), expected: '401 Bearer' }
  yield {
    happens: 'the shop is asked with her access token',
    concluded: await member({ authorization: `Bearer ${token}` }),
    expected: '200 ["ada","eu-central-1_Staff01"]',
  }
  yield {
    happens: 'the shop is asked with her identity token',
    concluded: await member({ authorization: `Bearer ${session.getIdToken().getJwtToken()}` }),
    expected: '401 Bearer error="invalid_token", error_description="The token is not an access token"',
  }
}

/** Returns the result of a step, or the name and message of its error. */
function resultOf(
  begin: (resolve: (text: string) => void, reject: (error: Error) => void) => void,
): Promise<string> {
  return new Promise<string>(begin).catch((error: Error) => `${error.name}: ${error.message}`)
}

function destinationOf(result: object | undefined): string | undefined {
  return (result as { codeDeliveryDetails?: { Destination?: string } } | undefined)?.codeDeliveryDetails
    ?.Destination
}
