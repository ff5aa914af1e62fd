import { isObject } from '@signalbox/codec'
import { MalformedRequest, type StatedMail } from './hook.ts'
import { type JsonObject, listIn, objectIn } from './json-body.ts'
import { needUtf8, statedAddress, statedRecipient } from './stated-mail.ts'

/**
 * Reads the `envelope` that Stalwart's hooks and the MTA hooks of the draft have in the same form: `from` is an address, which is
 * null or empty for the null sender, and `to` a list of them, each with its parameters of ESMTP.
 * @throws MalformedRequest if it has another form, or no recipients
 */
export function jsonEnvelope(request: JsonObject): Pick<StatedMail, 'from' | 'to' | 'utf8'> {
  const { envelope } = request
  if (!isObject(envelope)) throw new MalformedRequest('/envelope is not an object.')
  const sender = objectIn(envelope, 'from')
  const from = statedAddress(sender.address ?? '', '/envelope/from/address')
  const to = listIn(envelope, 'to', '/envelope/to').map((each, at) => {
    const pointer = `/envelope/to/${at}`
    if (!isObject(each)) throw new MalformedRequest(`${pointer} is not an object.`)
    return statedRecipient(each.address, `${pointer}/address`)
  })
  if (to.length === 0) throw new MalformedRequest('/envelope/to is empty.')
  const isStated = Object.keys(objectIn(sender, 'parameters')).some(name => name.toUpperCase() === 'SMTPUTF8')
  return { from, to, utf8: isStated || needUtf8([from, ...to]) }
}
