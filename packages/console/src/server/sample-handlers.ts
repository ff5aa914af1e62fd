import { isObject } from '@signalbox/codec'
import { type JsonSchema, jsonSchema } from '@signalbox/codec/json-schema'
import { type ConsoleContext, found } from '@signalbox/platform-runtime/console'
import type { Handlers } from './handlers.ts'

/** Returns the handlers of the routes about sample events. */
export function sampleHandlers({
  families,
}: Pick<ConsoleContext, 'families'>): Pick<Handlers, 'samples' | 'sample'> {
  return {
    async samples() {
      const { all } = await families()
      return all.flatMap(({ name: family, samples }) => Object.keys(samples).map(name => ({ name, family })))
    },

    async sample({ params: { name } }) {
      const family = found(
        (await families()).all.find(({ samples }) => Object.hasOwn(samples, name)),
        `sample ${JSON.stringify(name)}`,
      )
      const event = await family.samples[name]!()
      const codec = family.eventCodec?.(event as never) ?? family.event
      return { name, family: family.name, event, schema: schemaFor(event, jsonSchema(codec)) }
    },
  }
}

/**
 * Returns the part of a schema that describes an event. Alternatives whose fixed values differ from the event's
 * values are omitted.
 */
function schemaFor(event: unknown, schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema as { readonly anyOf?: readonly JsonSchema[] }
  if (anyOf === undefined) return schema
  const fitting = anyOf.filter(each => hasFixedValues(event, each))
  if (fitting.length === 0) return schema
  return fitting.length === 1 ? { ...fitting[0], ...rest } : { ...rest, anyOf: fitting }
}

function hasFixedValues(event: unknown, { properties }: JsonSchema): boolean {
  if (!isObject(event) || !isObject(properties)) return true
  return Object.entries(properties).every(([name, property]) => {
    const { const: fixed, enum: values } = property as { const?: unknown; enum?: readonly unknown[] }
    const value = (event as Record<string, unknown>)[name]
    return (fixed === undefined || fixed === value) && (values === undefined || values.includes(value))
  })
}
