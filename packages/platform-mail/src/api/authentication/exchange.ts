import type { Access, Identity } from '@signalbox/platform-runtime/access'
import type { Wire } from '../connections/wire.ts'
import { type Reply, replyLines } from '../reply.ts'
import { type MechanismName, mechanisms } from './mechanisms.ts'
import type { Scram } from './scram.ts'

/** The maximum size in bytes of a client's line, which contains one Base64-encoded message. */
const longest = 2048

/** The server's side of an exchange. */
interface ExchangeServer {
  /** The mechanisms that the reply to EHLO lists. */
  readonly offered: readonly MechanismName[]
  readonly access: Pick<Access, 'key' | 'password'>
  readonly scram: Scram
}

/**
 * Runs the exchange that `AUTH …` begins (RFC 4954). Returns the client's identity, `wrong` for a wrong user or
 * password, or the reply to a malformed exchange.
 */
export async function exchange(
  line: Buffer,
  wire: Pick<Wire, 'readLine' | 'write'>,
  { offered, access, scram }: ExchangeServer,
): Promise<Identity | 'wrong' | Reply> {
  const [, name = '', initial, ...more] = line.toString('latin1').trim().split(/ +/)
  if (more.length > 0 || name === '') return { code: 501, text: '5.5.4 Syntax: AUTH mechanism [response]' }
  const key = offered.find(each => each === name.toUpperCase())
  if (key === undefined) return { code: 504, text: '5.5.4 Unknown mechanism' }
  let isMalformed = false
  const decoded = (text: string): Buffer | undefined => {
    if (text === '=') return Buffer.alloc(0)
    if (
      text.length <= longest &&
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
    )
      return Buffer.from(text, 'base64')
    isMalformed = true
    return undefined
  }
  const first = initial === undefined ? undefined : decoded(initial)
  const found = isMalformed
    ? undefined
    : await mechanisms[key](
        access,
        first,
        async bytes => {
          await wire.write(replyLines(334, [bytes.toString('base64')]))
          const answer = await wire.readLine()
          return answer.kind !== 'line' || answer.line.toString() === '*'
            ? undefined
            : decoded(answer.line.toString('latin1'))
        },
        scram,
      )
  return isMalformed || found === undefined ? { code: 501, text: '5.5.2 Not base64' } : found
}
