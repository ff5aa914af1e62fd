import { addressKey } from '@signalbox/mail-flow/contract'
import type { EarlyDecision } from '../api/decision.ts'

/** The recipients who get a mail with one content. */
export interface DecidedPart {
  /** The content that a function put in the place of the mail's. Undefined for the content that the client sent. */
  readonly raw: Buffer | undefined
  readonly decided: EarlyDecision
}

/**
 * Divides a decision by the contents that functions put in the place of the mail's. Each content becomes a mail of its own.
 * The first one keeps the id of the mail: that with the client's content, if there is one. An address that several rules add
 * gets the mail once, as the first of them says.
 */
export function changedParts({ recipients, added: all }: EarlyDecision): readonly DecidedPart[] {
  const has = new Set<string>()
  const added = all.filter(({ address }) => {
    const key = addressKey(address)
    if (has.has(key)) return false
    has.add(key)
    return true
  })
  const contentOf = (each: EarlyDecision['recipients'][number]) =>
    each.kind === 'decided' ? each.raw : undefined
  const contents = [...new Set([...recipients.map(contentOf), ...added.map(each => each.raw)])]
  const changed = contents.filter(raw => raw !== undefined)
  const inOrder = changed.length < contents.length ? [undefined, ...changed] : changed
  return inOrder.map(raw => ({
    raw,
    decided: {
      recipients: recipients.filter(each => contentOf(each) === raw),
      added: added.filter(each => each.raw === raw),
    },
  }))
}
