import {
  AuthenticationDetails,
  CognitoUser,
  type CognitoUserAttribute,
  CognitoUserPool,
  type CognitoUserSession,
} from 'amazon-cognito-identity-js'

const [endpoint, UserPoolId = '', ClientId = '', Username = '', Password = ''] = process.argv.slice(2)
const values = new Map<string, string>()
const Storage = {
  setItem: (key: string, value: string) => void values.set(key, value),
  getItem: (key: string) => values.get(key) ?? null,
  removeItem: (key: string) => values.delete(key),
  clear: () => values.clear(),
} as never
const Pool = new CognitoUserPool({ UserPoolId, ClientId, endpoint: endpoint!, Storage })
const user = new CognitoUser({ Username, Pool, Storage })

const signIn = (password: string) =>
  new Promise<CognitoUserSession>((resolve, reject) =>
    user.authenticateUser(new AuthenticationDetails({ Username, Password: password }), {
      onSuccess: resolve,
      onFailure: reject,
    }),
  )

const wrong = await signIn('Wrong-7even').catch((error: Error) => `${error.name}: ${error.message}`)
const session = await signIn(Password)
const attributes = await new Promise<CognitoUserAttribute[] | undefined>((resolve, reject) =>
  user.getUserAttributes((error, found) => (error ? reject(error) : resolve(found))),
)
const refreshed = await new Promise<CognitoUserSession>((resolve, reject) =>
  user.refreshSession(session.getRefreshToken(), (error, again) => (error ? reject(error) : resolve(again))),
)
await new Promise<void>((resolve, reject) =>
  user.globalSignOut({ onSuccess: () => resolve(), onFailure: reject }),
)
process.stdout.write(
  JSON.stringify({
    wrong,
    attributes: Object.fromEntries(attributes!.map(each => [each.Name, each.Value])),
    claims: session.getIdToken().payload,
    isValid: refreshed.isValid(),
  }),
)
