import { contentProblem } from '../filter/content-problem.ts'
import type { ContentChanges } from '../filter/filtered-mail.ts'
import { stalwartHeaders, stalwartProblem } from '../filter/stalwart-headers.ts'
import { type HeaderChange, mailDifference } from '../message/mail-difference.ts'
import { type Agreement, actions, keepsLeadingSpace } from './negotiation.ts'
import { packet, uint32 } from './packets.ts'

/** The maximum number of bytes of a body in one packet. */
const chunkSize = 65_535

const needed = actions.addHeader | actions.changeBody | actions.changeHeader

/** Returns what a function can change of a mail, after what was agreed on. */
export function milterChanges(raw: Buffer, { actions: agreed, isStalwart }: Agreement): ContentChanges {
  if ((agreed & needed) !== needed)
    return { frozen: 'The mail server that asked does not let its filter change headers and bodies.' }
  const problem = isStalwart ? stalwartProblem : contentProblem
  return { contentProblem: content => problem(raw, content) }
}

/** Returns the packets that make one mail of another: first the headers from the bottom to the top, and then the body. */
export function contentPackets(before: Buffer, after: Buffer, agreement: Agreement): readonly Buffer[] {
  const { headers, body } = mailDifference(before, after)!
  return [
    ...(agreement.isStalwart
      ? stalwartHeaders(headers).map(({ kind, index, name, value }) =>
          packet(kind === 'insert' ? 'i' : 'm', uint32(index), name, text(kind === 'delete' ? '' : value)),
        )
      : headers.map(change => headerPacket(change, agreement))),
    ...(body === undefined ? [] : bodyPackets(body)),
  ]
}

function headerPacket(
  { kind, position, occurrence, name, value }: HeaderChange,
  agreement: Agreement,
): Buffer {
  // Mail servers take a line feed as the end of a line in a header.
  const lines = value.replaceAll('\r\n', '\n')
  const said = text(keepsLeadingSpace(agreement) ? lines : lines.replace(/^ /, ''))
  // Insertions count the trace line of the mail server itself, and the other changes do not. Above it comes what is on top.
  if (kind === 'insert') return packet('i', uint32(position === 0 ? 0 : position + 1), name, said)
  return packet('m', uint32(occurrence), name, kind === 'delete' ? text('') : said)
}

/** Returns a text of bytes, with its end. */
const text = (value: string) => Buffer.from(`${value}\0`, 'latin1')

function bodyPackets(body: Buffer): readonly Buffer[] {
  const count = Math.max(1, Math.ceil(body.length / chunkSize))
  return Array.from({ length: count }, (_, at) =>
    packet('b', body.subarray(at * chunkSize, (at + 1) * chunkSize)),
  )
}
