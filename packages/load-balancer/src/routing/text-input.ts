import { pointerKeys, type StandardSchema, validateAsync } from '@signalbox/codec'
import { isLater, isSchema, type TextForm, textFields, textForms } from '@signalbox/codec/ready'
import type * as t from 'io-ts'
import type { Values } from '../request/values.ts'
import { schemaForms } from './schema-fields.ts'

type AnySchema = t.Mixed | StandardSchema
type Result = Awaited<ReturnType<typeof validateAsync>>

/** Checks and decodes the values of a query, of headers or of a form. */
export type TextCheck = (values: Pick<Values, 'all' | 'names'>) => Result | Promise<Result>

/**
 * Returns the fields of an object codec that refuse every string. A query, a header or a form can never satisfy them.
 */
export function fieldsWithoutText(
  codec: AnySchema,
): readonly { readonly name: string; readonly codec: string }[] {
  return textFields(codec as t.Mixed).flatMap(({ name, codec, always }) =>
    always && acceptsNoText(codec) ? [{ name, codec: codec.name }] : [],
  )
}

function acceptsNoText(codec: t.Mixed): boolean {
  const { type, _tag } = codec as { readonly type?: t.Mixed; readonly _tag?: string }
  if (_tag === 'NumberType' || _tag === 'BooleanType' || _tag === 'BigIntType') return true
  return type !== undefined && _tag === 'RefinementType' ? acceptsNoText(type) : false
}

/** Returns the names of the fields that every value of an object codec can have. */
export function fieldNames(codec: AnySchema): readonly string[] {
  return textFields(codec as t.Mixed).flatMap(({ name, always }) => (always ? [name] : []))
}

/** A schema that exposes its JSON Schema as https://standardschema.dev/json-schema describes. */
interface WithJsonSchema {
  readonly jsonSchema?: {
    readonly input: (options: { readonly target: string; readonly libraryOptions: object }) => object
  }
  /** The fields of an object schema without JSON Schema, as zod and valibot name them. */
  readonly shape?: object
  readonly entries?: object
}

/**
 * What JSON Schema cannot describe, such as a date, says nothing about the fields beside it. These are the names that
 * zod, valibot and ArkType have for the option that leaves such a field open.
 */
export const libraryOptions = {
  unrepresentable: 'any',
  errorMode: 'ignore',
  fallback: ({ base }: { readonly base: unknown }) => base,
}

/** Returns the form of each field of a codec or schema. A schema of another library shows them in its JSON Schema. */
function formsOf(codec: AnySchema): ReadonlyMap<string, TextForm> {
  // The bundler plugin replaces the condition, and esbuild then drops the other branch.
  return isSchema(codec) ? formsOfSchema(codec) : textForms(codec)
}

function formsOfSchema(codec: StandardSchema): ReadonlyMap<string, TextForm> {
  try {
    const { jsonSchema } = codec['~standard'] as WithJsonSchema
    return schemaForms(jsonSchema!.input({ target: 'draft-2020-12', libraryOptions }) as never)
  } catch {
    const { shape, entries } = codec as WithJsonSchema
    return new Map(Object.keys(shape ?? entries ?? {}).map(name => [name, 'open']))
  }
}

/**
 * Returns a check of values by name, as a query, headers and forms have them. The codec gets an object: all values for
 * a field that is a list, and the last value for a field that is text. A field that takes either, or whose codec does
 * not say, gets one value as text and several as a list; if the codec refuses this form, it gets the other one. A name
 * that was not sent is absent from the object. Only if the codec refuses that, a list field gets an empty list.
 * @param ignoresCase whether names are matched without regard to case, as names of headers are
 */
export function textCheck(codec: AnySchema, ignoresCase = false): TextCheck {
  const forms = formsOf(codec)
  const spellings = new Map<string, string[]>()
  for (const name of ignoresCase ? forms.keys() : []) {
    const plain = name.toLowerCase()
    spellings.set(plain, [...(spellings.get(plain) ?? []), name])
  }
  const unknown = forms.size > 0 ? 'text' : 'open'
  return values => {
    const sent = new Map<string, readonly string[]>()
    const fields = new Map<string, string | readonly string[]>()
    for (const plain of values.names()) {
      const all = values.all(plain)
      for (const name of spellings.get(plain) ?? [plain]) {
        const form = forms.get(name) ?? unknown
        sent.set(name, all)
        fields.set(name, form === 'list' || (form !== 'text' && all.length > 1) ? all : all.at(-1)!)
      }
    }
    // fromEntries makes a parameter named __proto__ an ordinary key.
    const first = validateAsync(codec, Object.fromEntries(fields))
    return isLater(first) ? first.then(conclude) : conclude(first)

    function conclude(result: Result): Result | Promise<Result> {
      if (result._tag === 'Right') return result
      const changed = new Set<string | undefined>()
      for (const name of result.left.map(nameOf)) {
        const form = forms.get(name!) ?? unknown
        const all = sent.get(name!)
        const isChangeable = all ? form === 'either' || form === 'open' : form === 'list' || form === 'either'
        if (!isChangeable || changed.has(name)) continue
        changed.add(name)
        fields.set(name!, !all ? [] : Array.isArray(fields.get(name!)) ? all.at(-1)! : all)
      }
      if (changed.size === 0) return result
      const second = validateAsync(codec, Object.fromEntries(fields))
      const better = (again: Result): Result => {
        if (again._tag === 'Right') return again
        // A field that is refused in both forms keeps the problems of its first one.
        const still = new Set(again.left.map(nameOf))
        const left = result.left.filter(each => !changed.has(nameOf(each)) || still.has(nameOf(each)))
        return left.length > 0 ? { _tag: 'Left', left } : again
      }
      return isLater(second) ? second.then(better) : better(second)
    }
  }
}

/** Returns the name of the field that a problem is in, or undefined if it is about the whole object. */
function nameOf({ pointer }: { readonly pointer: string }): string | undefined {
  return pointerKeys(pointer)[0]
}
