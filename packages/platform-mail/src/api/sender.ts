import { isAscii } from '../message/is-ascii.ts'
import { pathCommand } from './path-command.ts'
import type { Reply } from './reply.ts'

/** What a client says about a mail that it is about to send. */
export interface Sender {
  /** Empty for the null sender. */
  readonly address: string
  /** Whether addresses and headers may have letters of any script (RFC 6531). */
  readonly utf8: boolean
}

/** Reads `MAIL FROM:<…>` with the parameters of RFC 1870 (SIZE), RFC 6152 (BODY) and RFC 6531 (SMTPUTF8). */
export function readSender(line: Buffer, sizeLimit: number): Sender | Reply {
  const command = pathCommand(line, '5.1.7')
  if ('code' in command) return command
  const { address, parameters } = command
  for (const [name, value] of parameters) {
    const rule = rules[name]
    if (rule === undefined) return { code: 555, text: '5.5.4 There is a parameter that is not known here' }
    if (!rule(value)) return { code: 501, text: `5.5.4 The value of ${name} is malformed` }
  }
  if (Number(parameters.get('SIZE') ?? 0) > sizeLimit) return tooBig(sizeLimit)
  const utf8 = parameters.has('SMTPUTF8')
  return utf8 || isAscii(address) ? { address, utf8 } : needsUtf8
}

/** The reply to a mail that is above the limit, whether that is announced or seen. */
export const tooBig = (sizeLimit: number): Reply => ({
  code: 552,
  text: `5.3.4 A mail has ${sizeLimit} bytes at most`,
})

/** The reply to an address beyond ASCII from a client that has not said SMTPUTF8 (RFC 6531, 3.5). */
export const needsUtf8: Reply = { code: 553, text: '5.6.7 An address beyond ASCII needs SMTPUTF8' }

/** By name in upper case, which is the case of no name that every object has. */
const rules: Readonly<Record<string, (value: string | undefined) => boolean>> = {
  SIZE: value => value !== undefined && /^\d{1,20}$/.test(value),
  BODY: value => value !== undefined && /^(?:7BIT|8BITMIME)$/i.test(value),
  SMTPUTF8: value => value === undefined,
}
