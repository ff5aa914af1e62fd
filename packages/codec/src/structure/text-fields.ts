import type { Codec } from '../io-ts/codec-of.ts'
import { type Node, nodesOf, partsOf } from './table.ts'
import { writtenStructure } from './written.ts'

/**
 * The form in which a field takes what a query, a header or a form has under its name: a list of texts, one text, or
 * either of them. `open` means that the codec does not say, as a custom codec.
 */
export type TextForm = 'list' | 'text' | 'either' | 'open'

/** A field of an object codec. */
export interface TextField {
  readonly name: string
  readonly codec: Codec
  readonly form: TextForm
  /** Whether every value has the field. The fields of a union's alternatives are not in every value. */
  readonly always: boolean
}

/** The properties by which io-ts combinators expose their structure. */
interface Inside {
  readonly name?: string
  readonly _tag?: string
  readonly props?: { readonly [name: string]: Codec }
  readonly types?: readonly Codec[]
  readonly type?: Codec
}

/** The maximum number of codecs that only refer to each other. */
const mostHops = 50

/**
 * Returns the fields of an object codec, including the fields of the codecs that it combines. A name occurs once for
 * each part or alternative that has it.
 */
export function textFields(codec: Codec, always = true, hops = 0): readonly TextField[] {
  const { props, types = [], type, _tag = '' } = insideOf(codec)
  if (props)
    return Object.entries(props).map(([name, field]) => ({ name, codec: field, form: formOf(field), always }))
  if (_tag === 'IntersectionType') return types.flatMap(each => textFields(each, always, hops))
  if (_tag === 'UnionType') return types.flatMap(each => textFields(each, false, hops))
  const isInside = type && hops < mostHops && !/^(?:FromJson|(?:Readonly)?Array)Type$/.test(_tag)
  return isInside ? textFields(type, always, hops + 1) : []
}

/** Returns the form of each field by its name. */
export function textForms(codec: Codec): ReadonlyMap<string, TextForm> {
  const forms = new Map<string, TextForm>()
  for (const { name, form } of textFields(codec)) {
    const known = forms.get(name)
    forms.set(name, known === undefined ? form : formOfAny([known, form]))
  }
  return forms
}

/** Returns the form of a value that has one of several forms. */
export function formOfAny(forms: readonly TextForm[]): TextForm {
  const [first = 'text'] = forms
  if (forms.every(form => form === first)) return first
  return forms.some(form => form === 'list' || form === 'either') ? 'either' : 'open'
}

/** Returns the form of a value that has all of several forms. */
export function formOfAll(forms: readonly TextForm[]): TextForm {
  return forms.find(form => form !== 'open') ?? 'open'
}

function formOf(codec: Codec, hops = 0): TextForm {
  const { types = [], type, _tag = '' } = insideOf(codec)
  if (/^(?:(?:Readonly|Any)?Array|Tuple)Type$/.test(_tag)) return 'list'
  if (/^(?:String|Number|Boolean|BigInt|Literal|Keyof|FromJson)Type$/.test(_tag)) return 'text'
  const within = (each: Codec) => formOf(each, hops + 1)
  if (hops >= mostHops) return 'open'
  if (_tag === 'UnionType') return formOfAny(types.filter(each => !isAbsence(each)).map(within))
  if (_tag === 'IntersectionType') return formOfAll(types.map(within))
  return type ? within(type) : 'open'
}

/** Returns whether a codec accepts only null or undefined, which no text is. */
function isAbsence(codec: Codec): boolean {
  return /^(?:Null|Undefined|Void)Type$/.test(insideOf(codec)._tag ?? '')
}

/** Returns the properties of a codec. A codec that was written at build has only a table. */
function insideOf(codec: Codec): Inside {
  const written = writtenStructure(codec)
  return written ? insideOfNode(nodesOf(written.table), written.root) : (codec as unknown as Inside)
}

function insideOfNode(nodes: readonly Node[], position: number): Inside {
  const node = nodes[position]!
  const types = partsOf(node).map(part => insideOfNode(nodes, part) as unknown as Codec)
  if (typeof node === 'string') return { name: node, _tag: `${node[0]!.toUpperCase()}${node.slice(1)}Type` }
  switch (node[0]) {
    case 'object': {
      const names = node.filter((_, i) => i % 2 > 0) as readonly string[]
      return { props: Object.fromEntries(names.map((name, i) => [name.slice(1), types[i]!])) }
    }
    case 'array':
      return { _tag: 'ArrayType' }
    case 'one of':
      return { _tag: node.slice(2).every(value => value === null) ? 'NullType' : 'LiteralType' }
    case 'all':
      return { _tag: 'IntersectionType', types }
    case 'some':
    case 'tagged':
      return { _tag: 'UnionType', types }
    case 'where':
    case 'confidential':
      return { type: types[0]! }
    default:
      return {}
  }
}
