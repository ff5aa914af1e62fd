import { optional } from '../fields/field.ts'
import { filled, knownTexts, type TextMap } from '../fields/shape.ts'
import type { UserAttributes } from '../fields/user-attribute.ts'

/** User attributes: an object with the names of the attributes as its keys (docs/contract/user-pool.md). */
export const attributes = filled(knownTexts<UserAttributes>())

/** Name-value pairs with any names (docs/contract/user-pool.md#pre-sign-up). */
export const map = filled(knownTexts<TextMap>())

/** Key-value pairs given as custom input to the function (docs/contract/user-pool.md). */
export const clientMetadata = optional(map)
