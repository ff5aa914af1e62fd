import type { StandardSchema } from '@signalbox/codec'
import { type } from 'arktype'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import * as v from 'valibot'
import type { Order } from '../../data/orders.ts'
import { ZodOrder } from './zod.ts'

const typebox = Compile(
  Type.Object({
    id: Type.String(),
    customer: Type.String(),
    items: Type.Array(Type.Object({ sku: Type.String(), quantity: Type.Number() })),
    express: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  }),
)

/** The schema of an order in several libraries, each as a Standard Schema. */
export const standardSchemas: Readonly<Record<string, StandardSchema<Order>>> = {
  'zod 4': ZodOrder as StandardSchema as StandardSchema<Order>,
  valibot: v.object({
    id: v.string(),
    customer: v.string(),
    items: v.array(v.object({ sku: v.string(), quantity: v.number() })),
    express: v.nullish(v.boolean()),
  }) as StandardSchema as StandardSchema<Order>,
  ArkType: type({
    id: 'string',
    customer: 'string',
    items: type({ sku: 'string', quantity: 'number' }).array(),
    'express?': 'boolean | null',
  }) as StandardSchema as StandardSchema<Order>,
  // TypeBox has no adapter for Standard Schema, so this one is written by hand.
  typebox: {
    '~standard': {
      version: 1,
      vendor: 'typebox',
      validate: value =>
        typebox.Check(value) ? { value: value as Order } : { issues: [{ message: 'must be an order' }] },
    },
  },
}
