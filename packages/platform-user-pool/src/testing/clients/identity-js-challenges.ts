import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserPool,
  type CognitoUserSession,
  type IAuthenticationCallback,
} from 'amazon-cognito-identity-js'

const [endpoint, UserPoolId = '', ClientId = '', right = ''] = process.argv.slice(2)
const values = new Map<string, string>()
const Storage = {
  setItem: (key: string, value: string) => void values.set(key, value),
  getItem: (key: string) => values.get(key) ?? null,
  removeItem: (key: string) => values.delete(key),
  clear: () => values.clear(),
} as never
const Pool = new CognitoUserPool({ UserPoolId, ClientId, endpoint: endpoint!, Storage })
const userNamed = (Username: string) => new CognitoUser({ Username, Pool, Storage })

type Callbacks = Pick<IAuthenticationCallback, 'onSuccess' | 'onFailure'>

/** Returns the result of a sign-in, which is the user name in the tokens or the error. */
const result = (begin: (callbacks: Callbacks) => void) =>
  new Promise<CognitoUserSession>((onSuccess, onFailure) => begin({ onSuccess, onFailure })).then(
    session => String(session.getIdToken().payload['cognito:username']),
    (error: Error) => `${error.name}: ${error.message}`,
  )

/** Signs in and answers the custom challenges in order. If a password is given, SRP comes first. */
const byChallenges = (answers: readonly string[], Password?: string) =>
  result(callbacks => {
    const user = userNamed('ann')
    user.setAuthenticationFlowType('CUSTOM_AUTH')
    const left = [...answers]
    const all = {
      ...callbacks,
      customChallenge: () => user.sendCustomChallengeAnswer(left.shift() ?? '', all),
    }
    const details = new AuthenticationDetails({
      Username: 'ann',
      ...(Password !== undefined && { Password }),
    })
    if (Password === undefined) user.initiateAuth(details, all)
    else user.authenticateUser(details, all)
  })

const alone = await byChallenges(['6', '7'])
const wrongAnswers = await byChallenges(['1', '2', '3', '4'])
const afterSrp = await byChallenges(['7'], right)
const wrongPassword = await byChallenges(['7'], 'Wrong-7even')

const bo = userNamed('bo')
let userAttributes: unknown
const newPassword = await result(callbacks =>
  bo.authenticateUser(new AuthenticationDetails({ Username: 'bo', Password: 'Given-7even' }), {
    ...callbacks,
    newPasswordRequired(required) {
      userAttributes = required
      bo.completeNewPasswordChallenge(right, { given_name: 'Bo' }, callbacks)
    },
  }),
)
const attribute = await new Promise((resolve, reject) =>
  bo.getUserAttributes((error, found) =>
    error ? reject(error) : resolve(found!.find(({ Name }) => Name === 'given_name')?.Value),
  ),
)
process.stdout.write(
  JSON.stringify({ alone, wrongAnswers, afterSrp, wrongPassword, userAttributes, newPassword, attribute }),
)
