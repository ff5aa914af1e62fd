import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserAttribute,
  CognitoUserPool,
  type CognitoUserSession,
} from 'amazon-cognito-identity-js'
import { printFlows } from './flows.ts'

interface Delivery {
  readonly CodeDeliveryDetails?: { readonly Destination?: string }
}

type Done<T> = (error: Error | null | undefined, result?: T) => void

/** Converts a call with a callback to a promise of its result. */
const result = <T>(begin: (done: Done<T>) => void) =>
  new Promise<T>((resolve, reject) => begin((error, value) => (error ? reject(error) : resolve(value as T))))

await printFlows(({ url, poolId, clientId }) => {
  const values = new Map<string, string>()
  const Storage = {
    setItem: (key: string, value: string) => void values.set(key, value),
    getItem: (key: string) => values.get(key) ?? null,
    removeItem: (key: string) => values.delete(key),
    clear: () => values.clear(),
  } as never
  const Pool = new CognitoUserPool({ UserPoolId: poolId, ClientId: clientId, endpoint: url, Storage })
  let user = new CognitoUser({ Username: '', Pool, Storage })
  const named = (Username: string) => new CognitoUser({ Username, Pool, Storage })
  const tokensOf = (session: CognitoUserSession) => ({
    idToken: session.getIdToken().getJwtToken(),
    accessToken: session.getAccessToken().getJwtToken(),
  })
  const signIn = async (name: string, Password: string, answers?: readonly string[]) => {
    user = named(name)
    if (answers !== undefined) user.setAuthenticationFlowType('CUSTOM_AUTH')
    const left = [...(answers ?? [])]
    return tokensOf(
      await new Promise((onSuccess, onFailure) => {
        const callbacks = {
          onSuccess,
          onFailure,
          customChallenge: () => user.sendCustomChallengeAnswer(left.shift() ?? '', callbacks),
        }
        user.authenticateUser(new AuthenticationDetails({ Username: name, Password }), callbacks)
      }),
    )
  }
  return {
    async signUp(name, password, email) {
      const attributes = [new CognitoUserAttribute({ Name: 'email', Value: email })]
      const signedUp = await result<object>(done =>
        Pool.signUp(name, password, attributes, [], done as never),
      )
      return (signedUp as { readonly codeDeliveryDetails?: { readonly Destination?: string } })
        .codeDeliveryDetails?.Destination
    },
    confirm: (name, code) => result(done => named(name).confirmRegistration(code, false, done)),
    signIn: (name, password) => signIn(name, password),
    signInByChallenges: signIn,
    async refresh() {
      const session = await result<CognitoUserSession>(done => user.getSession(done as never))
      return tokensOf(await result(done => user.refreshSession(session.getRefreshToken(), done)))
    },
    async changeEmail(email) {
      const attributes = [new CognitoUserAttribute({ Name: 'email', Value: email })]
      const details = await new Promise<{ CodeDeliveryDetailsList?: Delivery['CodeDeliveryDetails'][] }>(
        (resolve, reject) =>
          user.updateAttributes(attributes, (error, _, details) =>
            error ? reject(error) : resolve(details),
          ),
      )
      return details.CodeDeliveryDetailsList?.[0]?.Destination
    },
    verifyEmail: code =>
      new Promise((onSuccess, onFailure) => user.verifyAttribute('email', code, { onSuccess, onFailure })),
    async attributes() {
      const found = await result<CognitoUserAttribute[]>(done => user.getUserAttributes(done as never))
      return Object.fromEntries(found.map(({ Name, Value }) => [Name, Value]))
    },
    async forgotPassword(name) {
      const sent = await new Promise<Delivery>((onSuccess, onFailure) =>
        named(name).forgotPassword({ onSuccess, onFailure, inputVerificationCode: onSuccess }),
      )
      return sent.CodeDeliveryDetails?.Destination
    },
    replacePassword: (name, code, password) =>
      new Promise((onSuccess, onFailure) =>
        named(name).confirmPassword(code, password, { onSuccess, onFailure }),
      ),
    signOutEverywhere: () =>
      new Promise((onSuccess, onFailure) => user.globalSignOut({ onSuccess, onFailure })),
  }
})
