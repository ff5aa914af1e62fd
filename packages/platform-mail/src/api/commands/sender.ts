import { isAscii } from '../../message/is-ascii.ts'
import type { Reply } from '../reply.ts'
import { pathCommand, unknownParameter } from './path-command.ts'

/** The content of a `MAIL FROM:` command. */
export interface Sender {
  /** The address of the sender. Empty for the null sender. */
  readonly address: string
  /** Whether addresses and headers may contain any script (RFC 6531). */
  readonly utf8: boolean
}

/** Reads `MAIL FROM:<…>` with the parameters of RFC 1870 (SIZE), RFC 6152 (BODY) and RFC 6531 (SMTPUTF8). */
export function readSender(line: Buffer, maxSize: number): Sender | Reply {
  const command = pathCommand(line, '5.1.7')
  if ('code' in command) return command
  const { address, parameters } = command
  for (const [name, value] of parameters) {
    const isValid = validators.get(name)
    if (isValid === undefined) return unknownParameter
    if (!isValid(value)) return { code: 501, text: `5.5.4 Malformed value of ${name}` }
  }
  if (Number(parameters.get('SIZE') ?? 0) > maxSize) return mailTooLarge(maxSize)
  const utf8 = parameters.has('SMTPUTF8')
  return utf8 || isAscii(address) ? { address, utf8 } : requiresUtf8
}

/** Returns the reply to a mail whose announced or actual size is above the limit. */
export const mailTooLarge = (maxSize: number): Reply => ({
  code: 552,
  text: `5.3.4 Mail too large: at most ${maxSize} bytes`,
})

/** The reply to a non-ASCII address from a client that did not use SMTPUTF8 (RFC 6531, 3.5). */
export const requiresUtf8: Reply = { code: 553, text: '5.6.7 Non-ASCII address requires SMTPUTF8' }

const validators = new Map<string, (value: string | undefined) => boolean>([
  ['SIZE', value => value !== undefined && /^\d{1,20}$/.test(value)],
  ['BODY', value => value !== undefined && /^(?:7BIT|8BITMIME)$/i.test(value)],
  // RFC 4954, 5: an authenticated server may name the author of a mail in this parameter. This server ignores it.
  ['AUTH', value => value !== undefined],
  ['SMTPUTF8', value => value === undefined],
])
