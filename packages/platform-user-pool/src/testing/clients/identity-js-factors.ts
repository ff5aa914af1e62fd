import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserPool,
  type CognitoUserSession,
} from 'amazon-cognito-identity-js'
import { totpAt } from '../../flows/factors/totp.ts'

const [endpoint = '', UserPoolId = '', ClientId = '', Password = '', time = ''] = process.argv.slice(2)
const values = new Map<string, string>()
const Storage = {
  setItem: (key: string, value: string) => void values.set(key, value),
  getItem: (key: string) => values.get(key) ?? null,
  removeItem: (key: string) => values.delete(key),
  clear: () => values.clear(),
} as never
const Pool = new CognitoUserPool({ UserPoolId, ClientId, endpoint, Storage })
const userNamed = (Username: string) => new CognitoUser({ Username, Pool, Storage })

/** Signs in and answers the challenges with these codes in order. Resolves to the challenges and the result. */
async function signIn(user: CognitoUser, ...codes: readonly string[]) {
  const asked: string[] = []
  const left = [...codes]
  const result = await new Promise<string>(resolve => {
    const callbacks = {
      onSuccess: (session: CognitoUserSession, isToBeConfirmed?: boolean) => {
        const { device_key } = session.getAccessToken().payload
        resolve(
          `in${device_key === undefined ? '' : ' on a device'}${isToBeConfirmed ? ', ask to remember' : ''}`,
        )
      },
      onFailure: (error: Error) => resolve(`${error.name}: ${error.message}`),
      totpRequired() {
        asked.push('totp')
        user.sendMFACode(left.shift() ?? '', callbacks, 'SOFTWARE_TOKEN_MFA')
      },
      mfaRequired() {
        asked.push('sms')
        user.sendMFACode(left.shift() ?? '', callbacks)
      },
      selectMFAType(_name: unknown, parameters: { readonly MFAS_CAN_CHOOSE: string }) {
        asked.push(`one of ${parameters.MFAS_CAN_CHOOSE}`)
        user.sendMFASelectionAnswer('SOFTWARE_TOKEN_MFA', callbacks)
      },
      mfaSetup() {
        asked.push('setup')
        user.associateSoftwareToken({
          associateSecretCode: (secret: string) =>
            user.verifySoftwareToken(totpAt(secret, Number(time)), 'phone', {
              onSuccess: callbacks.onSuccess,
              onFailure: callbacks.onFailure,
            }),
          onFailure: callbacks.onFailure,
        })
      },
    }
    user.authenticateUser(
      new AuthenticationDetails({ Username: user.getUsername(), Password }),
      callbacks as never,
    )
  })
  return [...asked, result]
}

const ann = userNamed('ann')
const first = await signIn(ann)
const secret = await new Promise<string>((associateSecretCode, onFailure) =>
  ann.associateSoftwareToken({ associateSecretCode, onFailure }),
)
const code = (step: number) => totpAt(secret, Number(time) + step * 30_000)
await new Promise((onSuccess, onFailure) =>
  ann.verifySoftwareToken(code(-1), 'phone', { onSuccess, onFailure }),
)
await new Promise<void>((resolve, reject) =>
  ann.setUserMfaPreference(null, { PreferredMfa: true, Enabled: true }, error =>
    error ? reject(error) : resolve(),
  ),
)
const onKnownDevice = await signIn(ann, code(0))
await new Promise((onSuccess, onFailure) => ann.setDeviceStatusRemembered({ onSuccess, onFailure }))
const onRemembered = await signIn(ann)
const device = await new Promise<string | undefined>((resolve, reject) =>
  ann.getDevice({
    onSuccess(found) {
      const { Device } = found as unknown as { Device: { DeviceAttributes: { Value: string }[] } }
      resolve(Device.DeviceAttributes.at(-1)?.Value)
    },
    onFailure: reject,
  }),
)
const key = [...values].find(([name]) => name.endsWith('deviceKey'))![1]
const forget = await fetch(endpoint, {
  method: 'POST',
  headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminForgetDevice' },
  body: JSON.stringify({ UserPoolId, Username: 'ann', DeviceKey: key }),
})
await forget.text()
// When the client learns that its device was forgotten, it signs in as it would on a new device.
const onForgotten = await signIn(ann, code(1))
const reused = await signIn(userNamed('ann'), code(1))
process.stdout.write(
  JSON.stringify({
    first,
    onKnownDevice,
    onRemembered,
    device,
    onForgotten,
    reused,
    isForgotten: forget.status,
  }),
)
