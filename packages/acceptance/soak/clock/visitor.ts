import { type Answer, type ClockClients, clientId, poolId } from './clock-clients.ts'

/** A user and an operator who visit a platform while its clock is thrown. */
export interface Visitor {
  /** Signs in, hides a message, and sends a message that is due in a quarter of an hour. */
  readonly begins: () => Promise<void>
  /** Sends, receives and deletes a message, signs in, and creates and deletes a user. */
  readonly isServed: (when: string) => Promise<void>
  /** Tries wrong passwords until the account is locked. */
  readonly isLocked: () => Promise<void>
  /** Checks what was begun: tokens can be refreshed and revoked, and the hidden message comes back. */
  readonly ends: (expected: { readonly staysSignedIn: boolean }) => Promise<void>
}

/** The number of milliseconds by which a time may differ, because a machine can be busy. */
const tolerance = 60_000
const tokenLife = 3_600_000
const password = 'Right-7even'

/**
 * @param clients returns the clients of the platform that runs now
 * @param now returns the time of the thrown clock
 * @param report is called with each violation
 */
export function visitor(
  name: string,
  clients: () => ClockClients,
  now: () => number,
  report: (violation: string) => void,
): Visitor {
  let refreshToken = ''
  let number = 0
  const expectOk = (what: string, { status, body }: Answer) => {
    if (status !== 200) report(`${what} is refused: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const admin = (operation: string, input: object) =>
    clients().signed('pools', operation, { UserPoolId: poolId, ...input })
  const queue = (operation: string, QueueUrl: string, input: object = {}) =>
    clients().signed('queues', operation, { QueueUrl, ...input })
  const signIn = (PASSWORD = password) =>
    clients().pool('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: name, PASSWORD },
    })
  const refresh = () =>
    clients().pool('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: refreshToken },
    })

  /** Receives until a message comes. Waits for at most a minute. */
  const receive = async (QueueUrl: string, body: string) => {
    for (let turn = 0; turn < 6; turn++) {
      const got = await queue('ReceiveMessage', QueueUrl, {
        WaitTimeSeconds: 10,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
      })
      const all: readonly { Body: string; ReceiptHandle: string; Attributes: { SentTimestamp: string } }[] =
        expectOk('ReceiveMessage', got).Messages ?? []
      for (const { ReceiptHandle } of all)
        expectOk('DeleteMessage', await queue('DeleteMessage', QueueUrl, { ReceiptHandle }))
      const found = all.find(message => message.Body === body)
      if (found !== undefined) return found
    }
    report(`the message ${body} does not come`)
    return undefined
  }

  const refuseOdd = (what: string, time: number, expected: number) => {
    if (Math.abs(time - expected) > tolerance)
      report(`${what} is ${new Date(time).toISOString()}, expected ${new Date(expected).toISOString()}`)
  }

  return {
    async begins() {
      expectOk(
        'AdminCreateUser',
        await admin('AdminCreateUser', { Username: name, MessageAction: 'SUPPRESS' }),
      )
      const set = { Username: name, Password: password, Permanent: true }
      expectOk('AdminSetUserPassword', await admin('AdminSetUserPassword', set))
      refreshToken = expectOk('the first sign-in', await signIn()).AuthenticationResult?.RefreshToken
      const late = { MessageBody: `late ${name}`, DelaySeconds: 900 }
      expectOk('SendMessage', await queue('SendMessage', 'later', late))
      expectOk('SendMessage', await queue('SendMessage', 'later', { MessageBody: `hidden ${name}` }))
      const hidden = await queue('ReceiveMessage', 'later', { VisibilityTimeout: 1 })
      expectOk('ReceiveMessage', hidden)
    },

    async isServed(when) {
      const body = `${name} ${number++}`
      expectOk(`SendMessage ${when}`, await queue('SendMessage', 'orders', { MessageBody: body }))
      const message = await receive('orders', body)
      if (message !== undefined)
        refuseOdd(`SentTimestamp ${when}`, Number(message.Attributes.SentTimestamp), now())
      const result = expectOk(`a sign-in ${when}`, await signIn()).AuthenticationResult
      if (result !== undefined) {
        const { iat, exp, auth_time } = claimsOf(result.AccessToken)
        refuseOdd(`iat ${when}`, iat * 1000, now())
        refuseOdd(`auth_time ${when}`, auth_time * 1000, now())
        refuseOdd(`exp ${when}`, exp * 1000, now() + tokenLife)
        expectOk(`GetUser ${when}`, await clients().pool('GetUser', { AccessToken: result.AccessToken }))
      }
      const Username = `${name} guest`.replaceAll(' ', '-')
      const guest = { Username, MessageAction: 'SUPPRESS' }
      expectOk(`AdminCreateUser ${when}`, await admin('AdminCreateUser', guest))
      expectOk(`AdminDeleteUser ${when}`, await admin('AdminDeleteUser', { Username }))
    },

    async isLocked() {
      for (let turn = 0; turn < 6; turn++) await signIn('wrong')
    },

    async ends({ staysSignedIn }) {
      if (staysSignedIn) {
        expectOk('a refresh', await refresh())
        const revoked = await clients().pool('RevokeToken', { ClientId: clientId, Token: refreshToken })
        expectOk('RevokeToken', revoked)
        if ((await refresh()).status === 200) report('a revoked token can be used')
        await receive('later', `hidden ${name}`)
        const rest = await queue('ReceiveMessage', 'later', { MaxNumberOfMessages: 10 })
        for (const { Body } of expectOk('ReceiveMessage', rest).Messages ?? [])
          if (Body.startsWith('late ')) report(`the message ${Body} comes too early`)
      }
      expectOk('AdminDeleteUser', await admin('AdminDeleteUser', { Username: name }))
    },
  }
}

function claimsOf(token: string): { readonly iat: number; readonly exp: number; readonly auth_time: number } {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}
