import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { manualClock } from '@signalbox/core/testing'
import type { LimitsConfig } from '@signalbox/platform-runtime/config'
import { type Access, makeAccess } from '@signalbox/platform-runtime/platform/testing/parts'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import type { SmtpDialogue } from './smtp-dialogue.ts'

/** The certificate of the listener. */
export const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }
/** The access key of the identity, and its user name. */
export const user = 'shop@office.example'
export const password = 'a password, and = long'

/** Returns access with one identity that may send mail from these addresses, and the records of the access log. */
export function access(
  clock = manualClock(0),
  limits?: LimitsConfig,
  submit: readonly string[] = ['shop@office.example', '*@shop.example'],
): { readonly access: Access; readonly records: object[] } {
  const records: object[] = []
  const made = makeAccess(
    {
      identities: [
        {
          name: 'shop',
          keys: [{ accessKeyId: user, secretAccessKey: password }],
          rights: { mail: { submit } },
          limits,
        },
      ],
    },
    {
      keys: () => undefined,
      clock,
      operator: () => undefined,
      log: { add: record => records.push(record), read: async () => [], close: async () => {} },
    },
  )
  return { access: made, records }
}

export const base64 = (text: string) => Buffer.from(text).toString('base64')
/** The command that authenticates the identity. */
export const plain = `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`

/** Negotiates TLS after the command STARTTLS. */
export async function secured(client: SmtpDialogue): Promise<TLSSocket> {
  client.socket.removeAllListeners('data')
  const socket = connectTls({ socket: client.socket, ca: certificate.cert, servername: 'localhost' })
  await once(socket, 'secureConnect')
  return socket
}

/** Authenticates with SCRAM-SHA-256 (RFC 5802). */
export async function scram(client: SmtpDialogue, name: string, secret: string, header = 'n,,') {
  const bare = `n=${name.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=client-nonce`
  const challenge = await client.say(`AUTH SCRAM-SHA-256 ${base64(header + bare)}`)
  const serverFirst = Buffer.from(challenge!.slice(4), 'base64').toString()
  const [, nonce, salt, count] = /^r=([^,]*),s=([^,]*),i=(\d+)$/.exec(serverFirst) ?? []
  if (nonce === undefined) return { reply: challenge, verified: false }
  const salted = pbkdf2Sync(secret, Buffer.from(salt!, 'base64'), Number(count), 32, 'sha256')
  const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const withoutProof = `c=${base64(header)},r=${nonce}`
  const message = `${bare},${serverFirst},${withoutProof}`
  const clientKey = mac(salted, 'Client Key')
  const signature = mac(createHash('sha256').update(clientKey).digest(), message)
  const proof = clientKey.map((byte, at) => byte ^ signature[at]!)
  const final = client.say(base64(`${withoutProof},p=${Buffer.from(proof).toString('base64')}`))
  return {
    nonce,
    salt,
    final,
    verifier: `v=${mac(mac(salted, 'Server Key'), message).toString('base64')}`,
  }
}

/** Advances the clock until a promise is settled. */
export async function waitFor(clock: { advance: (ms: number) => Promise<void> }, promise: Promise<unknown>) {
  let isSettled = false
  const settled = promise.finally(() => {
    isSettled = true
  })
  while (!isSettled) {
    await new Promise(resolve => setImmediate(resolve))
    await clock.advance(1000)
  }
  await settled
}
