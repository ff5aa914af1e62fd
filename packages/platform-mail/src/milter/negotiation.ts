import { MalformedPacket, packet, uint32 } from './packets.ts'

/** What the mail server and the filter have agreed on for a connection. */
export interface Agreement {
  readonly version: number
  /** The changes that the filter may ask for, as a mask of `actions`. */
  readonly actions: number
  /** The events that do not come or have no reply, as a mask. */
  readonly steps: number
  /**
   * Whether the mail server is Stalwart, which passes the text of a reply on as it is, in one line, and finds the place of a new
   * header by its name. Default: false.
   */
  readonly isStalwart?: boolean
}

/** The changes of a mail that the filter asks for. */
export const actions = {
  addHeader: 0x1,
  changeBody: 0x2,
  addRecipient: 0x4,
  deleteRecipient: 0x8,
  changeHeader: 0x10,
} as const

/** The version that the filter speaks, and the oldest one that it understands. */
const [newest, oldest] = [6, 2]

/** The event of an unknown command does not come. */
const noUnknown = 0x100
/** The space after the colon of a header is part of its value. */
const leadingSpace = 0x10_0000

/** The bits with which the filter says that it does not reply to an event. Other events have no such bit. */
const withoutReply: { readonly [code: string]: number } = {
  L: 0x80,
  C: 0x1000,
  H: 0x2000,
  M: 0x4000,
  R: 0x8000,
  T: 0x1_0000,
  U: 0x2_0000,
  N: 0x4_0000,
  B: 0x8_0000,
}

/** The bits of all events that come. With all of them, a mail costs one round trip. */
const wanted =
  Object.entries(withoutReply).reduce((mask, [code, bit]) => (code === 'U' ? mask : mask | bit), 0) |
  noUnknown |
  leadingSpace

/**
 * Answers the offer of a mail server. Older versions offer fewer steps, and then expect more replies.
 * @throws MalformedPacket for an offer that is too short, or too old
 */
export function agreementOn(offer: Buffer): Agreement {
  if (offer.length < 12) throw new MalformedPacket('An offer that is too short')
  const [version, offeredActions, offeredSteps] = [0, 4, 8].map(at => offer.readUInt32BE(at)) as [
    number,
    number,
    number,
  ]
  if (version < oldest) throw new MalformedPacket(`Version ${version}`)
  const needed = Object.values(actions).reduce((mask, bit) => mask | bit, 0)
  const unknown = (offeredSteps & noUnknown) === 0 ? withoutReply.U! : 0
  return {
    version: Math.min(version, newest),
    actions: (offeredActions & needed) >>> 0,
    steps: (offeredSteps & (wanted | unknown)) >>> 0,
  }
}

/** Returns the packet that answers an offer. */
export function agreementPacket({ version, actions, steps }: Agreement): Buffer {
  return packet('O', uint32(version), uint32(actions), uint32(steps))
}

/** Returns whether the mail server waits for a reply to an event. A wrong answer would shift all later replies. */
export function isReplyDue(code: string, { steps }: Pick<Agreement, 'steps'>): boolean {
  const bit = withoutReply[code]
  return bit !== undefined && (steps & bit) === 0
}

/** Returns whether the values of headers have the space after the colon. */
export function keepsLeadingSpace({ steps }: Pick<Agreement, 'steps'>): boolean {
  return (steps & leadingSpace) !== 0
}
