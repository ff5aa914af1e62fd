import { compile, decode, fromJson, problems, schema, validate } from '@signalbox/codec'
import { Order } from './order/io-ts.ts'

const codec = fromJson(Order)

/** Uses all exports of the codec package, so that the bundle contains the whole package. */
export const handler = async (event: unknown) => ({
  is: compile(Order)(event),
  schema: schema(Order)(event),
  problems: problems(Order, event),
  valid: validate(codec, event)._tag,
  decoded: decode(codec, '{"id":"a","items":[]}'),
})
