import { textFields, textForms } from '@signalbox/codec/ahead'
import type { Codec } from './evaluate.ts'

/** What stands for a field in each form. It has only the properties that `textFields` reads. */
const standIns = {
  list: { _tag: 'ArrayType' },
  text: { _tag: 'StringType' },
  either: { _tag: 'UnionType', types: [{ _tag: 'StringType' }, { _tag: 'ArrayType' }] },
  open: {},
}

/**
 * Returns the code of the property `props` that `@signalbox/load-balancer` reads from the codec of a query, of headers,
 * of cookies, of path parameters or of a form: which fields there are, which of them are lists, and which refuse every
 * text. A compiled codec has no such property. Returns undefined for a codec without fields.
 */
export function fieldProperties(codec: Codec): string | undefined {
  const forms = textForms(codec)
  if (forms.size === 0) return undefined
  const withoutText = new Map(
    textFields(codec).flatMap(({ name, codec, always }) => {
      const { _tag = '' } = codec as unknown as { readonly _tag?: string }
      return always && /^(?:Number|Boolean|BigInt)Type$/.test(_tag)
        ? [[name, { _tag, name: codec.name }]]
        : []
    }),
  )
  // A key named __proto__ in a literal would set the prototype.
  const entries = [...forms].map(
    ([name, form]) => `[${JSON.stringify(name)}]: ${JSON.stringify(withoutText.get(name) ?? standIns[form])}`,
  )
  return `{ ${entries.join(', ')} }`
}
